// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "objects/place.h"

/* Offsets beyond this are not followed: nothing overflows. */
#define FAR (INT64_C(1) << 48)

uint64_t nb_gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static uint64_t magnitude(int64_t number) {
  return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

NbOffsets nb_place_at(int64_t offset) {
  if (offset > FAR || offset < -FAR)
    return nb_place_anywhere();
  return (NbOffsets){offset, 0, 1, 0, offset, offset, false};
}

NbOffsets nb_place_anywhere(void) { return (NbOffsets){0, 0, 1, 1, INT64_MIN, INT64_MAX, true}; }

bool nb_place_equal(const NbOffsets *a, const NbOffsets *b) {
  return a->base == b->base && a->inner == b->inner && a->count == b->count &&
         a->period == b->period && a->low == b->low && a->high == b->high && a->loose == b->loose;
}

bool nb_place_is_exact(const NbOffsets *place) { return place->count == 1 && place->period == 0; }

uint64_t nb_place_step(const NbOffsets *place) {
  return nb_gcd(place->period, place->count > 1 ? place->inner : 0);
}

static int64_t bound_shift(int64_t bound, int64_t offset) {
  bool none = bound == INT64_MIN || bound == INT64_MAX;
  return none ? bound : bound + offset;
}

NbOffsets nb_place_shift(NbOffsets place, int64_t offset) {
  if (offset > FAR || offset < -FAR || place.base > FAR || place.base < -FAR)
    return nb_place_anywhere();
  place.base += offset;
  place.low = bound_shift(place.low, offset);
  place.high = bound_shift(place.high, offset);
  return place;
}

/* Is { a * i + b * k } less than all multiples of what divides both? */
static bool skips(uint64_t a, uint64_t b) {
  uint64_t common = nb_gcd(a, b);
  return a && b && common != a && common != b;
}

/* Gives up the extent of the inner array. */
static NbOffsets flatten(NbOffsets place) {
  if (place.count > 1) {
    place.loose |= place.period && place.period != place.inner * place.count;
    place.period = nb_gcd(place.period, place.inner);
  }
  place.count = 1;
  place.inner = 0;
  return place;
}

NbOffsets nb_place_stride(NbOffsets place, uint64_t stride, bool upwards) {
  if (!stride)
    return place;
  bool fits = place.count > 1 && place.inner * place.count <= stride &&
              (!place.period || place.period % stride == 0 || stride % place.period == 0);
  if (!fits)
    place = flatten(place);
  place.loose |= skips(place.period, stride);
  place.period = nb_gcd(place.period, stride);
  if (place.count > 1 && place.inner * place.count > place.period)
    place = flatten(place);
  place.high = INT64_MAX;
  if (!upwards)
    place.low = INT64_MIN;
  return place;
}

NbOffsets nb_place_index(NbOffsets place, uint64_t stride, uint64_t count) {
  if (count <= 1 || !stride || count > (uint64_t)FAR || stride > (uint64_t)FAR / count)
    return nb_place_stride(place, stride, true);
  uint64_t extent = stride * count;
  if (place.period && extent > place.period)
    return nb_place_stride(place, stride, true);
  bool merges = stride == place.inner * place.count || place.inner == extent;
  if (place.count > 1 && !merges && extent <= nb_gcd(place.period, place.inner))
    place = flatten(place);
  if (place.count == 1) {
    place.inner = stride;
    place.count = count;
  } else if (stride == place.inner * place.count) {
    place.count *= count;
  } else if (place.inner == extent) {
    place.inner = stride;
    place.count *= count;
  } else {
    return nb_place_stride(place, stride, true);
  }
  if (place.high != INT64_MAX)
    place.high += (int64_t)(extent - stride);
  return place;
}

NbOffsets nb_place_element(const NbOffsets *place, uint64_t index) {
  NbOffsets element = *place;
  element.base += (int64_t)(place->inner * index);
  element.count = 1;
  element.inner = 0;
  if (place->count > 1 && !place->period)
    element.low = element.high = element.base;
  return element;
}

static int64_t bound_add(int64_t a, int64_t b) {
  if (a == INT64_MIN || a == INT64_MAX)
    return a;
  return b == INT64_MIN || b == INT64_MAX ? b : a + b;
}

NbOffsets nb_place_add(NbOffsets a, NbOffsets b) {
  NbOffsets sum = nb_place_shift(a, b.base);
  if (b.count > 1)
    sum = nb_place_index(sum, b.inner, b.count);
  if (b.period)
    sum = nb_place_stride(sum, b.period, b.low != INT64_MIN);
  sum.loose |= b.loose;
  sum.low = bound_add(a.low, b.low);
  sum.high = bound_add(a.high, b.high);
  return sum;
}

NbOffsets nb_place_join(NbOffsets a, NbOffsets b) {
  if (nb_place_equal(&a, &b))
    return a;
  bool first = nb_place_is_exact(&a);
  uint64_t distance = magnitude(a.base - b.base);
  if (a.inner != b.inner || a.count != b.count || distance) {
    a = flatten(a);
    b = flatten(b);
  }
  NbOffsets join = a;
  uint64_t period = nb_gcd(a.period, b.period);
  join.loose |= b.loose || skips(a.period, b.period) || (distance && skips(period, distance));
  join.period = nb_gcd(period, distance);
  join.low = b.low >= a.low ? a.low : first ? b.low : INT64_MIN;
  join.high = b.high <= a.high ? a.high : first ? b.high : INT64_MAX;
  return join;
}

bool nb_place_holds(const NbOffsets *whole, const NbOffsets *part) {
  int64_t period = (int64_t)whole->period;
  bool repeats = period && part->period % whole->period == 0 &&
                 (part->count == 1 || part->inner % whole->period == 0);
  if (!repeats)
    return false;
  uint64_t at = (uint64_t)(((part->base - whole->base) % period + period) % period);
  return at == 0 ||
         (whole->count > 1 && at % whole->inner == 0 && at / whole->inner < whole->count);
}

NbOffsets nb_place_aligned(NbOffsets place, uint64_t align) {
  uint64_t step = nb_place_step(&place);
  if (step == 0 || step >= align || align % step != 0)
    return place;
  NbOffsets aligned = nb_place_stride(nb_place_at(0), align, false);
  aligned.loose = true;
  if (place.low > 0)
    aligned.low =
        place.low + (int64_t)align - 1 - (place.low + (int64_t)align - 1) % (int64_t)align;
  if (place.high >= 0 && place.high != INT64_MAX)
    aligned.high = place.high - place.high % (int64_t)align;
  if (place.low == 0)
    aligned.low = 0;
  return aligned;
}

NbOffsets nb_place_relative(NbOffsets place, const NbOffsets *origin) {
  NbOffsets seen = nb_place_shift(place, -origin->base);
  uint64_t step = nb_place_step(origin);
  if (!step)
    return seen;
  if (seen.count > 1 && seen.inner * seen.count > nb_gcd(seen.period, step))
    seen = flatten(seen);
  seen.loose |= skips(seen.period, step) || origin->loose;
  seen.period = nb_gcd(seen.period, step);
  seen.low = INT64_MIN;
  seen.high = INT64_MAX;
  return seen;
}

enum { MOST_PAIRS = 256 };

bool nb_place_ends_before(const NbOffsets *a, uint64_t size, const NbOffsets *b) {
  return a->high != INT64_MAX && b->low != INT64_MIN && size < (uint64_t)FAR &&
         a->high + (int64_t)size <= b->low;
}

bool nb_place_strays(const NbOffsets *single, const NbOffsets *places) {
  bool open = places->period && (places->low == INT64_MIN || places->high == INT64_MAX);
  int64_t last = single->base + (int64_t)(single->count ? (single->count - 1) * single->inner : 0);
  return open && !single->period &&
         (last < places->base || single->base >= places->base + (int64_t)places->period);
}

/* Do bytes overlap whose starts lie `distance` apart, or a multiple of `period` more? */
static bool overlap(int64_t distance, uint64_t period, uint64_t a_size, uint64_t b_size) {
  if (!period)
    return distance < (int64_t)b_size && -distance < (int64_t)a_size;
  int64_t rest = distance % (int64_t)period;
  uint64_t above = (uint64_t)(rest < 0 ? rest + (int64_t)period : rest);
  return above < b_size || period - above < a_size;
}

bool nb_place_meets(const NbOffsets *a, uint64_t a_size, const NbOffsets *b, uint64_t b_size) {
  NbOffsets first = *a;
  NbOffsets second = *b;
  if (nb_place_ends_before(a, a_size, b) || nb_place_ends_before(b, b_size, a))
    return false;
  if (first.count > MOST_PAIRS || second.count > MOST_PAIRS ||
      first.count * second.count > MOST_PAIRS) {
    first = flatten(first);
    second = flatten(second);
  }
  uint64_t period = nb_gcd(first.period, second.period);
  for (uint64_t i = 0; i < first.count; i++) {
    for (uint64_t k = 0; k < second.count; k++) {
      int64_t distance =
          first.base + (int64_t)(i * first.inner) - second.base - (int64_t)(k * second.inner);
      if (overlap(distance, period, a_size, b_size))
        return true;
    }
  }
  return false;
}

int64_t nb_place_inside(const NbOffsets *place, uint64_t size, int64_t offset) {
  if (place->low != INT64_MIN && offset < place->low)
    return -1;
  if (place->high != INT64_MAX && offset >= place->high + (int64_t)size)
    return -1;
  int64_t distance = offset - place->base;
  if (place->period) {
    distance %= (int64_t)place->period;
    if (distance < 0)
      distance += (int64_t)place->period;
  }
  if (distance < 0)
    return -1;
  if (place->count > 1) {
    uint64_t index = (uint64_t)distance / place->inner;
    if (index < place->count)
      distance %= (int64_t)place->inner;
    else if (!(index == place->count && place->inner < size))
      return -1;
  }
  return (uint64_t)distance < size ? distance : -1;
}
