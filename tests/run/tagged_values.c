// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
/* Values of an interpreter, integers or numbers as a tag says, that are handed on whole: where an
 * integer is computed with, the run tells that it is no number's bits. */
#include "cases.h"

#include <stdbool.h>

enum { INTEGER, NUMBER };

typedef struct {
  int tag;
  union {
    int integer;
    real number;
  } as;
} Value;

static Value of_integer(int integer) {
  Value value;
  value.tag = INTEGER;
  value.as.integer = integer;
  return value;
}

static Value of_number(real number) {
  Value value;
  value.tag = NUMBER;
  value.as.number = number;
  return value;
}

static real number_of(Value value) {
  return value.tag == NUMBER ? value.as.number : (real)value.as.integer;
}

static Value add(Value a, Value b) {
  if (a.tag == INTEGER && b.tag == INTEGER)
    return of_integer(a.as.integer + b.as.integer);
  return of_number(number_of(a) + number_of(b));
}

static Value multiply(Value a, Value b) {
  if (a.tag == INTEGER && b.tag == INTEGER)
    return of_integer(a.as.integer * b.as.integer);
  return of_number(number_of(a) * number_of(b));
}

SUM(values_in_a_sum, 4, 0.5, 1.5, 0.75, 1.25) {
  Value sum = of_integer(0);
  for (int i = 0; i < n; i++)
    sum = add(sum, multiply(multiply(of_number(x[i]), of_integer(i + 1)), of_number(x[i])));
  return number_of(sum);
}

SUM(values_on_a_stack, 8, 0.5, 1.5, 0.75, 1.25, 0.3, 0.9, 1.1, 0.6) {
  Value stack[16];
  int top = 0;
  for (int i = 0; i < n; i++) {
    stack[top++] = i % 3 ? of_number(x[i]) : of_integer(i + 2);
    if (top < 2)
      continue;
    Value b = stack[--top], a = stack[--top];
    stack[top++] = i % 2 ? add(a, b) : multiply(a, b);
  }
  return number_of(stack[0]) * x[0];
}

typedef struct {
  Value *items;
  int count, room;
} Values;

static void push(Values *values, Value value) {
  if (values->count == values->room) {
    values->room = values->room ? 2 * values->room : 2;
    values->items = (Value *)realloc(values->items, (size_t)values->room * sizeof value);
  }
  values->items[values->count++] = value;
}

SUM(values_in_a_list, 5, 0.5, 1.5, 0.75, 1.25, 0.3) {
  Values list = {0, 0, 0};
  for (int i = 0; i < n; i++) {
    push(&list, of_number(x[i] * x[i]));
    push(&list, of_integer(i));
  }
  Value sum = of_integer(1);
  for (int i = 0; i < list.count; i++)
    sum = i % 2 ? multiply(sum, add(list.items[i], of_integer(1))) : add(sum, list.items[i]);
  free(list.items);
  return number_of(sum);
}

typedef struct Cell {
  Value value;
  struct Cell *next;
} Cell;

SUM(values_in_linked_cells, 5, 0.5, 1.5, 0.75, 1.25, 0.3) {
  Cell *head = 0;
  for (int i = 0; i < n; i++) {
    Cell *cell = (Cell *)malloc(sizeof *cell);
    cell->value = i % 2 ? of_integer(i) : of_number(x[i]);
    cell->next = head;
    head = cell;
  }
  Value result = of_number(x[0]);
  while (head) {
    Cell *cell = head;
    result = add(multiply(result, cell->value), of_number(x[1]));
    head = cell->next;
    free(cell);
  }
  return number_of(result);
}

static Cell *before(Value value, Cell *next) {
  Cell *cell = (Cell *)malloc(sizeof *cell);
  cell->value = value;
  cell->next = next;
  return cell;
}

static real released(Cell *head, real factor) {
  real sum = 0, power = 1;
  while (head) {
    Cell *next = head->next;
    sum += number_of(head->value) * power;
    power *= factor;
    free(head);
    head = next;
  }
  return sum;
}

SUM(cells_that_are_copied_and_turned, 6, 0.5, 1.5, 0.75, 1.25, 0.3, 0.9) {
  Cell *head = 0, *copy = 0, **end = &copy;
  for (int i = 0; i < n; i++)
    head = before(i % 2 ? of_number(x[i] * x[i]) : of_integer(i), head);
  for (Cell *cell = head; cell; cell = cell->next) {
    *end = (Cell *)malloc(sizeof *cell);
    memcpy(*end, cell, sizeof *cell);
    (*end)->next = 0;
    end = &(*end)->next;
  }
  Cell *turned = 0;
  while (head) {
    Cell *next = head->next;
    head->next = turned;
    turned = head;
    head = next;
  }
  return released(turned, x[0]) * released(copy, x[1]);
}

SUM(cells_that_are_sorted, 6, 0.5, 1.5, 0.75, 1.25, 0.3, 0.9) {
  Cell *cells[6];
  for (int i = 0; i < n; i++)
    cells[i] = before(i % 2 ? of_number(x[i] * 2) : of_integer(i), 0);
  for (int i = 1; i < n; i++)
    for (int k = i; k && number_of(cells[k - 1]->value) > number_of(cells[k]->value); k--) {
      Cell *cell = cells[k];
      cells[k] = cells[k - 1];
      cells[k - 1] = cell;
    }
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += released(cells[i], 1) * x[0] * (i + 1);
  return sum;
}

typedef struct {
  int tag;
  union {
    long integer;
    real number;
  } as;
} Long;

static Long of_long(long integer) {
  Long value;
  value.tag = INTEGER;
  value.as.integer = integer;
  return value;
}

static Long of_long_number(real number) {
  Long value;
  value.tag = NUMBER;
  value.as.number = number;
  return value;
}

static real number_of_long(Long value) {
  return value.tag ? value.as.number : (real)value.as.integer;
}

SUM(longs_that_are_returned, 6, 0.5, 1.5, 0.75, 1.25, 0.3, 0.9) {
  real sum = 0;
  for (int i = 0; i < n; i++) {
    Long a = i % 2 ? of_long_number(x[i]) : of_long(i);
    Long b = i % 3 ? of_long_number(x[i] * x[i]) : of_long(2);
    sum += number_of_long(a) * number_of_long(b);
  }
  return sum;
}

/* --- What is written of a value that is used again leaves its other bytes. --- */

typedef struct {
  int kind;
  union {
    real number;
    char sign;
  } as;
} Token;

SUM(tokens_that_are_used_again, 5, 0.5, 1.5, 0.75, 1.25, 0.3) {
  const char *text = "ab+c*de-*";
  Token *tokens = (Token *)malloc(16 * sizeof *tokens), token;
  int count = 0;
  for (; *text; text++) {
    if (*text >= 'a') {
      token.kind = 1;
      token.as.number = x[*text - 'a'];
    } else {
      token.kind = 2;
      token.as.sign = *text;
    }
    tokens[count++] = token;
  }
  real stack[8];
  int top = 0;
  for (int i = 0; i < count; i++) {
    if (tokens[i].kind == 1) {
      stack[top++] = tokens[i].as.number;
      continue;
    }
    real b = stack[--top], a = stack[--top];
    char sign = tokens[i].as.sign;
    stack[top++] = sign == '+' ? a + b : sign == '-' ? a - b : a * b;
  }
  free(tokens);
  return stack[0] * x[n - 1];
}

typedef struct {
  int tag;
  union {
    int integer;
    real number;
    char text[8];
  } as;
} Any;

static void set(Any *any, const real *x, int i) {
  if (i % 2) {
    any->tag = 0;
    any->as.integer = i;
  } else if (i % 3) {
    any->tag = 1;
    any->as.number = x[i];
  } else {
    any->tag = 2;
    strcpy(any->as.text, "ab");
  }
}

static real get(const Any *any) {
  if (any->tag == 0)
    return (real)any->as.integer;
  return any->tag == 1 ? any->as.number : (real)any->as.text[0];
}

SUM(one_that_is_set_again, 6, 0.5, 1.5, 0.75, 1.25, 0.3, 0.9) {
  Any any;
  real sum = 0;
  for (int i = 0; i < n; i++) {
    set(&any, x, i);
    sum += get(&any) * x[i];
  }
  return sum;
}

typedef struct {
  short tag;
  union {
    unsigned integer;
    real number;
  } as;
} Entry;

typedef struct {
  Entry entries[4];
  int count;
} Row;

SUM(rows_that_are_exchanged, 6, 0.5, 1.5, 0.75, 1.25, 0.3, 0.9) {
  Row rows[3];
  Entry entry;
  for (int i = 0; i < 3; i++) {
    rows[i].count = 0;
    for (int k = 0; k < 4; k++) {
      entry.tag = (short)((i + k) % 3 == 0);
      if (entry.tag)
        entry.as.integer = (unsigned)(i + k);
      else
        entry.as.number = x[(i * 4 + k) % n];
      rows[i].entries[rows[i].count++] = entry;
    }
  }
  Row first = rows[0];
  rows[0] = rows[2];
  rows[2] = first;
  real sum = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < rows[i].count; k++) {
      Entry each = rows[i].entries[k];
      sum += (each.tag ? (real)each.as.integer : each.as.number * each.as.number) * (i + 1);
    }
  return sum;
}

typedef struct {
  int tag;
  union {
    bool flag;
    unsigned integer;
    real number;
  } as;
} Flagged;

static real number_flagged(Flagged value) {
  return value.tag == NUMBER ? value.as.number
         : value.tag == 2    ? (real)value.as.flag
                             : (real)value.as.integer;
}

SUM(integers_and_flags, 6, 0.5, 1.5, 0.75, 1.25, 0.3, 0.9) {
  Flagged *all = 0;
  int count = 0, room = 0;
  for (int i = 0; i < 2 * n; i++) {
    if (count == room) {
      room = room ? 2 * room : 2;
      all = (Flagged *)realloc(all, (size_t)room * sizeof *all);
    }
    Flagged *last = &all[count++];
    last->tag = i % 2 ? NUMBER : i % 4;
    if (last->tag == NUMBER)
      last->as.number = sin(x[i % n]);
    else if (last->tag == 2)
      last->as.flag = i > 3;
    else
      last->as.integer = (unsigned)i;
  }
  real sum = 0;
  for (int i = 0; i < count; i++)
    sum += number_flagged(all[i]) * number_flagged(all[(i + 3) % count]);
  free(all);
  return sum;
}

/* One of the members leads to numbers, at other times. */
typedef struct {
  int tag;
  union {
    unsigned long integer;
    real number;
    const real *place;
  } as;
} Placed;

static real number_placed(const Placed *value) {
  return value->tag == NUMBER ? value->as.number : (real)value->as.integer;
}

SUM(values_that_may_be_places, 6, 0.5, 1.5, 0.75, 1.25, 0.3, 0.9) {
  Placed rows[3][3], value;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      if ((i + k) % 2) {
        value.tag = INTEGER;
        value.as.integer = (unsigned long)(i + k);
      } else {
        value.tag = NUMBER;
        value.as.number = x[(i * 3 + k) % n];
      }
      rows[i][k] = value;
    }
  real sum = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      sum += number_placed(&rows[(i + 1) % 3][k]) * x[k];
  return sum;
}

/* --- Numbers without their last bytes are rounded. --- */

static real rounded(real number) {
  unsigned long bits;
  memcpy(&bits, &number, sizeof bits);
  bits &= ~0xffffffffUL;
  memcpy(&number, &bits, sizeof bits);
  return number;
}

SUM(upper_and_lower_parts, 4, 0.5, 1.5, 0.75, 1.25) {
  real sum = 0;
  for (int i = 0; i < n; i++) {
    real upper = rounded(x[i] * x[0]), lower = x[i] * x[0] - upper;
    sum += upper * upper + 2 * upper * lower + lower * lower * x[i];
  }
  return sum;
}
