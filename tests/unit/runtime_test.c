// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The runtime's tapes and transfers against simple models. The runtime is compiled into this test,
 * for the plugin holds it as bitcode only; its heap is one whose n-th allocation may fail. */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

static struct {
  int64_t live, until_failure; /* blocks; allocations, negative: none fails */
  jmp_buf *instead_of_abort;   /* NULL: abort */
} heap = {0, -1, NULL};

static void *heap_count(void *block) {
  heap.live += block != NULL;
  return block;
}

static void *heap_malloc(size_t bytes) {
  return heap.until_failure-- == 0 ? NULL : heap_count(malloc(bytes));
}

static void *heap_aligned_alloc(size_t alignment, size_t bytes) {
  return heap.until_failure-- == 0 ? NULL : heap_count(aligned_alloc(alignment, bytes));
}

static void heap_free(void *block) {
  heap.live -= block != NULL;
  free(block);
}

static _Noreturn void heap_abort(void) {
  if (heap.instead_of_abort)
    longjmp(*heap.instead_of_abort, 1);
  abort();
}

#define malloc heap_malloc
#define aligned_alloc heap_aligned_alloc
#define free heap_free
#define abort heap_abort
#include "../../runtime/formats.c"
#include "../../runtime/memory.c"
#include "../../runtime/refuse.c"
#include "../../runtime/released.c"
#include "../../runtime/tape.c"
#undef malloc
#undef aligned_alloc
#undef free
#undef abort

#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static unsigned next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*state >> 33);
}

/* Stacks. */

enum { STEPS = 60000, MOST_RECORDS = 20000, STACKS = 5 };

/* A stack and what it should hold: the sizes and fill bytes of its records, oldest first. */
struct modelled {
  struct __nabla_stack stack;
  unsigned count;
  uint64_t sizes[MOST_RECORDS];
  unsigned char fills[MOST_RECORDS];
  char *places[MOST_RECORDS];
};

static uint64_t random_size(uint64_t *random) {
  unsigned choice = next_random(random) % 100;
  if (choice < 40)
    return 8 * (next_random(random) % 4);
  if (choice < 90)
    return next_random(random) % 200;
  return choice < 99 ? next_random(random) % 5000 : next_random(random) % 3000000;
}

static void check_alignment(const void *record, uint64_t bytes) {
  uint64_t size = (bytes + 7) / 8 * 8;
  uint64_t alignment = bytes && size % 16 == 0 ? 16 : 8;
  assert_int_equal((uintptr_t)record % alignment, 0);
}

/* Marks both ends of a record, which finds any overlap with a neighbour. */
static void mark(char *record, uint64_t bytes, unsigned char fill) {
  uint64_t edge = bytes < 64 ? bytes : 64;
  memset(record, fill, edge);
  memset(record + bytes - edge, fill, edge);
}

static void check_marks(const char *record, uint64_t bytes, unsigned char fill) {
  uint64_t edge = bytes < 64 ? bytes : 64;
  for (uint64_t i = 0; i < edge; i++) {
    assert_int_equal((unsigned char)record[i], fill);
    assert_int_equal((unsigned char)record[bytes - 1 - i], fill);
  }
}

static void push_one(struct modelled *model, uint64_t *random) {
  uint64_t bytes = random_size(random);
  char *record = __nabla_tape_push(&model->stack, bytes, "f", NULL);
  assert_non_null(record);
  check_alignment(record, bytes);
  model->sizes[model->count] = bytes;
  model->fills[model->count] = (unsigned char)next_random(random);
  model->places[model->count] = record;
  mark(record, bytes, model->fills[model->count]);
  model->count++;
}

static void pop_one(struct modelled *model) {
  model->count--;
  uint64_t bytes = model->sizes[model->count];
  char *record = __nabla_tape_pop(&model->stack, bytes);
  assert_ptr_equal(record, model->places[model->count]);
  check_marks(record, bytes, model->fills[model->count]);
}

/* Grows and shrinks in waves, so that segments come and go. */
static void step(struct modelled *model, unsigned time, uint64_t *random) {
  unsigned bias = time / 700 % 2 ? 35 : 65;
  bool push = next_random(random) % 100 < bias;
  if (push && model->count < MOST_RECORDS)
    push_one(model, random);
  else if (model->count)
    pop_one(model);
}

static void check_is_zero(const struct __nabla_stack *stack) {
  assert_null(stack->cursor);
  assert_null(stack->end);
  assert_null(stack->segment);
}

static void interleaved_stacks_return_what_was_pushed(void **state) {
  (void)state;
  struct modelled *models = calloc(STACKS, sizeof *models);
  uint64_t random = 3;
  for (unsigned time = 0; time < STEPS; time++)
    step(&models[next_random(&random) % STACKS], time, &random);
  for (unsigned i = 0; i < STACKS - 1; i++)
    while (models[i].count)
      pop_one(&models[i]);
  for (unsigned i = 0; i < STACKS; i++) {
    __nabla_tape_finish(&models[i].stack);
    check_is_zero(&models[i].stack);
  }
  free(models);
}

static void a_million_small_records_come_back_in_reverse(void **state) {
  (void)state;
  enum { RECORDS = 1000000 };
  struct __nabla_stack stack = {0};
  for (unsigned i = 0; i < RECORDS; i++)
    *(double *)__nabla_tape_push(&stack, sizeof(double), "f", NULL) = i;
  for (unsigned i = RECORDS; i-- > 0;)
    assert_true(*(double *)__nabla_tape_pop(&stack, sizeof(double)) == i);
  __nabla_tape_finish(&stack);
}

static void a_popped_record_stays_valid(void **state) {
  (void)state;
  struct __nabla_stack stack = {0};
  char *first = __nabla_tape_push(&stack, 24, "f", NULL);
  memset(first, 1, 24);
  char *large = __nabla_tape_push(&stack, 100000, "f", NULL);
  memset(large, 2, 100000);
  large = __nabla_tape_pop(&stack, 100000);
  assert_int_equal(large[0] + large[99999], 4);
  first = __nabla_tape_pop(&stack, 24);
  assert_int_equal(first[0] + first[23], 2);
  __nabla_tape_finish(&stack);
}

static void a_copy_reads_back_what_the_stack_keeps(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  struct __nabla_stack stack = {NULL, NULL, NULL};
  for (uint64_t i = 0; i < COUNT; i++)
    *(uint64_t *)__nabla_tape_push(&stack, i % 3 ? 8 : 16, "f", NULL) = i;
  for (int again = 0; again < 2; again++) {
    struct __nabla_stack copy = stack;
    for (uint64_t i = COUNT; i-- > 0;)
      assert_int_equal(*(uint64_t *)__nabla_tape_look_back(&copy, i % 3 ? 8 : 16), i);
  }
  __nabla_tape_finish(&stack);
}

static void words_serve_64_instances_each(void **state) {
  (void)state;
  enum { COUNT = 64 * 40 + 7 };
  struct __nabla_stack stack = {0};
  uint64_t *words = NULL;
  for (uint64_t i = 0; i < COUNT; i++) {
    words = __nabla_tape_push_words(&stack, 16, i, words, "f", NULL);
    words[0] = words[1] = i / 64;
  }
  struct __nabla_stack copy = stack;
  words = __nabla_tape_look_back(&copy, 16);
  for (uint64_t i = COUNT - 1; i-- > 0;) {
    words = __nabla_tape_look_back_words(&copy, 16, i, words);
    assert_int_equal(words[1], i / 64);
  }
  words = __nabla_tape_pop(&stack, 16);
  for (uint64_t i = COUNT - 1; i-- > 0;) {
    words = __nabla_tape_pop_words(&stack, 16, i, words);
    assert_int_equal(words[0], i / 64);
  }
  __nabla_tape_finish(&stack);
  check_is_zero(&stack);
}

static void a_stack_may_be_used_after_finish(void **state) {
  (void)state;
  struct __nabla_stack stack = {0};
  __nabla_tape_finish(&stack);
  check_is_zero(&stack);
  for (unsigned round = 0; round < 3; round++) {
    for (unsigned i = 0; i < 1000; i++)
      *(uint64_t *)__nabla_tape_push(&stack, 40, "f", NULL) = i;
    __nabla_tape_finish(&stack);
    check_is_zero(&stack);
  }
}

/* Goes down `depth` calls, each with a stack of its own beside the shared one. */
static void use_nested(struct __nabla_stack *shared, unsigned depth) {
  struct __nabla_stack own = {0};
  for (unsigned i = 0; i < 300; i++) {
    *(uint64_t *)__nabla_tape_push(&own, 16, "f", NULL) = depth;
    *(uint64_t *)__nabla_tape_push(shared, 8, "f", NULL) = i;
  }
  if (depth)
    use_nested(shared, depth - 1);
  for (unsigned i = 300; i-- > 0;) {
    assert_int_equal(*(uint64_t *)__nabla_tape_pop(shared, 8), i);
    assert_int_equal(*(uint64_t *)__nabla_tape_pop(&own, 16), depth);
  }
  __nabla_tape_finish(&own);
}

static void stacks_nest(void **state) {
  (void)state;
  struct __nabla_stack shared = {0};
  use_nested(&shared, 20);
  __nabla_tape_finish(&shared);
}

/* Arrays. */

static void arrays_are_aligned_and_may_be_empty(void **state) {
  (void)state;
  assert_null(__nabla_tape_allocate(0, 8, "f", NULL));
  assert_null(__nabla_tape_allocate(8, 0, "f", NULL));
  __nabla_tape_release(NULL);
  for (uint64_t count = 1; count < 200; count += 7) {
    char *memory = __nabla_tape_allocate(count, 9, "f", NULL);
    assert_int_equal((uintptr_t)memory % (count * 9 > 1024 ? 64 : 16), 0);
    memset(memory, 1, count * 9);
    __nabla_tape_release(memory);
  }
}

static void allocate_too_much(void) { __nabla_tape_allocate(UINT64_MAX / 2, 16, "f", NULL); }

static void push_too_much(void) {
  struct __nabla_stack stack = {0};
  __nabla_tape_push(&stack, UINT64_MAX, "f", NULL);
}

static void read_all(int end, char *text, size_t room) {
  size_t used = 0;
  ssize_t length = read(end, text, room - 1);
  while (length > 0) {
    used += (size_t)length;
    length = read(end, text + used, room - 1 - used);
  }
  text[used] = '\0';
}

/* Runs a function that must abort, and returns what it wrote on the standard error output. */
static void run_to_abort(void (*function)(void), char *text, size_t room) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGABRT, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    function();
    _exit(0);
  }
  close(ends[1]);
  read_all(ends[0], text, room);
  close(ends[0]);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void what_cannot_be_had_is_said(void **state) {
  (void)state;
  char text[200];
  run_to_abort(allocate_too_much, text, sizeof text);
  assert_non_null(strstr(text, "nabla: out of memory"));
  assert_non_null(strstr(text, "18446744073709551615"));
  run_to_abort(push_too_much, text, sizeof text);
  assert_non_null(strstr(text, "nabla: out of memory"));
}

/* Every allocation fails once. What was had before is still whole, and can be given back. */

enum { FAULT_ROWS = 400 };

static void fill_stack(struct __nabla_stack *stack, uint64_t *budget) {
  for (uint64_t i = 0; i < FAULT_ROWS; i++) {
    *(uint64_t *)__nabla_tape_push(stack, 8, "f", budget) = i;
    memset(__nabla_tape_push_rows(stack, i, 24, "f", budget), 1, i * 24);
  }
}

/* Returns whether all could be had. The failure's message goes to the standard error output. */
static bool try_to_fill(struct __nabla_stack *stack, int64_t until_failure, uint64_t *budget) {
  jmp_buf failure;
  heap.until_failure = until_failure;
  heap.instead_of_abort = &failure;
  bool whole = setjmp(failure) == 0;
  if (whole)
    fill_stack(stack, budget);
  heap.until_failure = -1;
  heap.instead_of_abort = NULL;
  return whole;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  int64_t live = heap.live;
  bool whole = false;
  for (int64_t n = 0; !whole; n++) {
    struct __nabla_stack stack = {0};
    whole = try_to_fill(&stack, n, NULL);
    assert_true(whole || n < 100);
    __nabla_tape_finish(&stack);
    assert_int_equal(heap.live, live);
  }
}

static void a_budget_is_kept(void **state) {
  (void)state;
  uint64_t least = FAULT_ROWS * 8 + FAULT_ROWS * (FAULT_ROWS - 1) / 2 * 24;
  for (uint64_t bytes = 0; bytes < least; bytes += least / 7) {
    struct __nabla_stack stack = {0};
    uint64_t budget = bytes;
    assert_false(try_to_fill(&stack, -1, &budget));
    assert_true(budget <= bytes);
    __nabla_tape_finish(&stack);
  }
  struct __nabla_stack stack = {0};
  uint64_t budget = 2 * least;
  assert_true(try_to_fill(&stack, -1, &budget));
  __nabla_tape_finish(&stack);
}

static void rows_come_back_in_reverse(void **state) {
  (void)state;
  struct __nabla_stack stack = {0};
  char *places[FAULT_ROWS];
  for (uint64_t i = 0; i < FAULT_ROWS; i++) {
    places[i] = __nabla_tape_push_rows(&stack, i % 37, 12, "f", NULL);
    memset(places[i], (int)i, i % 37 * 12);
  }
  for (uint64_t i = FAULT_ROWS; i-- > 0;) {
    char *rows = __nabla_tape_pop_rows(&stack, i % 37, 12);
    if (i % 37 == 0)
      continue;
    assert_ptr_equal(rows, places[i]);
    assert_int_equal((uintptr_t)rows % 16, 0);
    assert_int_equal((unsigned char)rows[0], i % 256);
    assert_int_equal((unsigned char)rows[i % 37 * 12 - 1], i % 256);
  }
  __nabla_tape_finish(&stack);
}

static void counts_do_not_wrap_around(void **state) {
  (void)state;
  assert_int_equal(__nabla_tape_count(3, 5), 15);
  assert_int_equal(__nabla_tape_count(0, UINT64_MAX), 0);
  assert_int_equal(__nabla_tape_count(UINT64_MAX, 2), UINT64_MAX);
  assert_int_equal(__nabla_tape_count((uint64_t)1 << 32, (uint64_t)1 << 32), UINT64_MAX);
}

static void push_rows_too_many(void) {
  struct __nabla_stack stack = {0};
  __nabla_tape_push_rows(&stack, (uint64_t)1 << 62, 32, "f", NULL);
}

static void lack_a_shadow(void) {
  char primal[8];
  __nabla_shadow_clear(NULL, primal, sizeof primal, "f");
}

static void shadows_are_cleared_or_missed(void **state) {
  (void)state;
  char text[200];
  char primal[8], shadow[8];
  memset(shadow, 1, sizeof shadow);
  __nabla_shadow_clear(shadow, primal, sizeof shadow, "f");
  assert_int_equal(shadow[0] + shadow[7], 0);
  __nabla_shadow_clear(NULL, NULL, 100, "f");
  __nabla_shadow_check(NULL, primal, 0, "f");
  run_to_abort(lack_a_shadow, text, sizeof text);
  assert_non_null(strstr(text, "the derivative of 'f' needs 8 more bytes"));
  run_to_abort(push_rows_too_many, text, sizeof text);
  assert_non_null(strstr(text, "18446744073709551615"));
}

/* Transfers. Memory is an array of `ELEMENTS` elements; the regions lie anywhere in it. */

enum { ELEMENTS = 64, TRANSFERS = 20000 };

/* The arguments of a transfer, counted in elements; bytes may cut the last element. */
struct transfer {
  uint64_t to, from, bytes, first, period;
};

static struct transfer random_transfer(uint64_t *random, uint64_t element) {
  uint64_t length = next_random(random) % (ELEMENTS / 2);
  uint64_t most = ELEMENTS - length - 1;
  uint64_t period = next_random(random) % 4;
  uint64_t shift = period * (next_random(random) % 6);
  uint64_t from = next_random(random) % most;
  uint64_t to = next_random(random) % 2 ? from + shift : from - (shift < from ? shift : from);
  return (struct transfer){
      .to = to < most ? to : from,
      .from = from,
      .bytes = length * element + next_random(random) % element,
      .first = next_random(random) % 4 * element,
      .period = period * element,
  };
}

/* Tells for each element of a region whether the transfer is about it. */
static void select_elements(const struct transfer *transfer, uint64_t element, bool *selected) {
  memset(selected, 0, ELEMENTS * sizeof *selected);
  uint64_t offset = transfer->first;
  while (offset + element <= transfer->bytes) {
    selected[offset / element] = true;
    if (transfer->period == 0)
      return;
    offset += transfer->period;
  }
}

static void fill_numbers(double *numbers, uint64_t *random) {
  for (unsigned i = 0; i < ELEMENTS; i++)
    numbers[i] = 1 + next_random(random) % 1000;
}

static void model_move(double *memory, const struct transfer *transfer, const bool *selected) {
  double taken[ELEMENTS];
  for (unsigned i = 0; i < ELEMENTS; i++)
    taken[i] = selected[i] ? memory[transfer->to + i] : 0;
  for (unsigned i = 0; i < ELEMENTS; i++)
    if (selected[i])
      memory[transfer->to + i] = 0;
  for (unsigned i = 0; i < ELEMENTS; i++)
    if (selected[i])
      memory[transfer->from + i] += taken[i];
}

static void model_zero(double *memory, const struct transfer *transfer, const bool *selected) {
  for (unsigned i = 0; i < ELEMENTS; i++)
    if (selected[i])
      memory[transfer->to + i] = 0;
}

static void adjoints_of_doubles_move_as_in_the_model(void **state) {
  (void)state;
  uint64_t random = 11;
  for (unsigned round = 0; round < TRANSFERS; round++) {
    struct transfer t = random_transfer(&random, sizeof(double));
    double memory[ELEMENTS], expected[ELEMENTS];
    bool selected[ELEMENTS];
    fill_numbers(memory, &random);
    memcpy(expected, memory, sizeof memory);
    select_elements(&t, sizeof(double), selected);
    model_move(expected, &t, selected);
    __nabla_move_adjoint_double((char *)(memory + t.to), (char *)(memory + t.from), t.bytes,
                                t.first, t.period);
    assert_memory_equal(memory, expected, sizeof memory);
  }
}

static void adjoints_of_floats_move_as_in_the_model(void **state) {
  (void)state;
  uint64_t random = 12;
  for (unsigned round = 0; round < TRANSFERS; round++) {
    struct transfer t = random_transfer(&random, sizeof(float));
    float memory[ELEMENTS];
    double expected[ELEMENTS];
    bool selected[ELEMENTS];
    fill_numbers(expected, &random);
    for (unsigned i = 0; i < ELEMENTS; i++)
      memory[i] = (float)expected[i];
    select_elements(&t, sizeof(float), selected);
    model_move(expected, &t, selected);
    __nabla_move_adjoint_float((char *)(memory + t.to), (char *)(memory + t.from), t.bytes, t.first,
                               t.period);
    for (unsigned i = 0; i < ELEMENTS; i++)
      assert_true(memory[i] == expected[i]);
  }
}

static void zeroing_touches_only_the_elements(void **state) {
  (void)state;
  uint64_t random = 13;
  for (unsigned round = 0; round < TRANSFERS; round++) {
    struct transfer t = random_transfer(&random, sizeof(double));
    double memory[ELEMENTS], expected[ELEMENTS];
    bool selected[ELEMENTS];
    fill_numbers(memory, &random);
    memcpy(expected, memory, sizeof memory);
    select_elements(&t, sizeof(double), selected);
    model_zero(expected, &t, selected);
    __nabla_zero_double((char *)(memory + t.to), t.bytes, t.first, t.period);
    assert_memory_equal(memory, expected, sizeof memory);
  }
}

static void zeroing_floats_touches_only_the_elements(void **state) {
  (void)state;
  uint64_t random = 14;
  for (unsigned round = 0; round < TRANSFERS; round++) {
    struct transfer t = random_transfer(&random, sizeof(float));
    float memory[ELEMENTS];
    double expected[ELEMENTS];
    bool selected[ELEMENTS];
    fill_numbers(expected, &random);
    for (unsigned i = 0; i < ELEMENTS; i++)
      memory[i] = (float)expected[i];
    select_elements(&t, sizeof(float), selected);
    model_zero(expected, &t, selected);
    __nabla_zero_float((char *)(memory + t.to), t.bytes, t.first, t.period);
    for (unsigned i = 0; i < ELEMENTS; i++)
      assert_true(memory[i] == expected[i]);
  }
}

/* A move up by one onto itself: each adjoint goes one place up. */
static void adjoints_of_other_formats_move(void **state) {
  (void)state;
  long double to_long[3] = {1, 2, 3}, from_long[3] = {4, 5, 6};
  _Float16 to_half[3] = {1, 2, 3}, from_half[3] = {4, 5, 6};
  __nabla_move_adjoint_long((char *)to_long, (char *)from_long, sizeof to_long, 0, sizeof *to_long);
  __nabla_move_adjoint_half((char *)to_half, (char *)from_half, sizeof to_half, 0, sizeof *to_half);
  for (unsigned i = 0; i < 3; i++)
    assert_true(to_long[i] == 0 && from_long[i] == 5 + 2 * i && to_half[i] == 0 &&
                from_half[i] == 5 + 2 * i);
  __nabla_move_adjoint_half((char *)from_half, (char *)(from_half + 1), 2 * sizeof *from_half, 0,
                            sizeof *from_half);
  assert_true(from_half[0] == 0 && from_half[1] == 5 && from_half[2] == 16);
  __nabla_zero_long((char *)from_long, sizeof from_long, sizeof *from_long, 0);
  __nabla_zero_half((char *)from_half, sizeof from_half, 0, 2 * sizeof *from_half);
  assert_true(from_long[0] == 5 && from_long[1] == 0 && from_long[2] == 9);
  assert_true(from_half[0] == 0 && from_half[1] == 5 && from_half[2] == 0);
}

static void pointers_are_copied_as_by_memmove(void **state) {
  (void)state;
  uint64_t random = 15;
  for (unsigned round = 0; round < TRANSFERS; round++) {
    struct transfer t = random_transfer(&random, sizeof(void *));
    char *memory[ELEMENTS], *before[ELEMENTS], *expected[ELEMENTS];
    bool selected[ELEMENTS];
    for (unsigned i = 0; i < ELEMENTS; i++)
      memory[i] = before[i] = expected[i] = (char *)&random + i;
    select_elements(&t, sizeof(void *), selected);
    for (unsigned i = 0; i < ELEMENTS; i++)
      if (selected[i])
        expected[t.to + i] = before[t.from + i];
    __nabla_copy_pointers((char *)(memory + t.to), (char *)(memory + t.from), t.bytes, t.first,
                          t.period);
    assert_memory_equal(memory, expected, sizeof memory);
  }
}

static void pointers_are_cleared_alone(void **state) {
  (void)state;
  enum { ROWS = 4, COLUMNS = 3 };
  char *memory[ROWS * COLUMNS], *expected[ROWS * COLUMNS];
  for (unsigned i = 0; i < ROWS * COLUMNS; i++)
    memory[i] = expected[i] = (char *)memory + i;
  for (unsigned i = 0; i < ROWS; i++)
    expected[i * COLUMNS + 1] = NULL;
  __nabla_clear_pointers((char *)memory, sizeof memory, sizeof(char *), COLUMNS * sizeof(char *));
  assert_memory_equal(memory, expected, sizeof memory);
}

static void a_move_onto_itself_changes_nothing(void **state) {
  (void)state;
  double memory[] = {1, -0.0, 3};
  char *bytes = (char *)memory;
  __nabla_move_adjoint_double(bytes, bytes, sizeof memory, 0, sizeof(double));
  const double expected[] = {1, -0.0, 3};
  assert_memory_equal(memory, expected, sizeof memory);
}

static void nothing_to_do_touches_nothing(void **state) {
  (void)state;
  __nabla_move_adjoint_double(NULL, NULL, 0, 0, 8);
  __nabla_move_adjoint_float(NULL, NULL, 3, 0, 4);
  __nabla_zero_double(NULL, 7, 0, 8);
  __nabla_zero_float(NULL, 0, 0, 0);
  __nabla_copy_pointers(NULL, NULL, 0, 0, 8);
  __nabla_clear_pointers(NULL, 7, 0, 8);
}

static void elements_of_packed_structs_are_found(void **state) {
  (void)state;
  enum { STRIDE = 9, ITEMS = 5 };
  char to[STRIDE * ITEMS], from[STRIDE * ITEMS];
  memset(from, 0, sizeof from);
  memset(to, 7, sizeof to);
  const double three = 3;
  for (unsigned i = 0; i < ITEMS; i++)
    memcpy(to + i * STRIDE + 1, &three, sizeof three);
  __nabla_move_adjoint_double(to, from, sizeof to, 1, STRIDE);
  for (unsigned i = 0; i < ITEMS; i++) {
    double taken, given;
    memcpy(&taken, to + i * STRIDE + 1, sizeof taken);
    memcpy(&given, from + i * STRIDE + 1, sizeof given);
    assert_true(taken == 0 && given == 3 && to[i * STRIDE] == 7 && from[i * STRIDE] == 0);
  }
}

static const double slots[4] = {0, 3, 0, 0};

static void cut_the_first(void) {
  __nabla_whole_ends_double((const char *)slots + 12, 12, "'f' (f.c:7)");
}
static void cut_the_last(void) { __nabla_whole_ends_double((const char *)slots, 9, "'f' (f.c:7)"); }

static void numbers_that_were_cut_are_found(void **state) {
  (void)state;
  char text[200];
  run_to_abort(cut_the_first, text, sizeof text);
  assert_non_null(strstr(text, "nabla: 'f' (f.c:7) overwrites a part of a number"));
  run_to_abort(cut_the_last, text, sizeof text);
  __nabla_whole_ends_double((const char *)slots, 8, "'f' (f.c:7)");
  __nabla_whole_ends_double((const char *)slots + 8, 8, "'f' (f.c:7)");
  __nabla_whole_ends_double((const char *)slots + 16, 11, "'f' (f.c:7)");
  __nabla_whole_ends_double((const char *)slots + 9, 0, "'f' (f.c:7)");
  __nabla_whole_ends_float((const char *)slots + 17, 2, "'f' (f.c:7)");
  __nabla_whole(0, "'f' (f.c:7)");
}

/* --- What was released ----------------------------------------------------------------------- */

static void what_is_released_is_taken_once(void **state) {
  (void)state;
  enum { SHADOWS = 200, STEPS = 20000 };
  static char shadows[SHADOWS];
  bool added[SHADOWS] = {false};
  __nabla_released *set = NULL;
  uint64_t random = 1;
  int64_t live = heap.live;
  for (int step = 0; step < STEPS; step++) {
    unsigned which = next_random(&random) % SHADOWS;
    if (next_random(&random) % 2 && !added[which]) {
      __nabla_released_add(&set, &shadows[which], "f");
      added[which] = true;
      continue;
    }
    assert_ptr_equal(__nabla_released_take(&set, &shadows[which]),
                     added[which] ? &shadows[which] : NULL);
    added[which] = false;
  }
  __nabla_released_add(&set, NULL, "f");
  __nabla_released_end(&set);
  assert_null(set);
  assert_int_equal(heap.live, live);
}

static void move_a_number(void) { __nabla_moved(1, "'f' (f.c:7)"); }

static void numbers_moved_as_pointers_are_found(void **state) {
  (void)state;
  char text[200];
  run_to_abort(move_a_number, text, sizeof text);
  assert_non_null(strstr(text, "nabla: 'f' (f.c:7) moves a number"));
  __nabla_moved(0, "'f' (f.c:7)");
}

static void store_over_a_pointer(void) {
  char object = 0, *shadows[2] = {NULL, &object};
  __nabla_over_pointer((char *)shadows + sizeof(float), sizeof shadows - sizeof(float),
                       "'f' (f.c:7)");
}

static void numbers_over_pointers_are_found(void **state) {
  (void)state;
  char text[200];
  run_to_abort(store_over_a_pointer, text, sizeof text);
  assert_non_null(strstr(text, "nabla: 'f' (f.c:7) stores numbers"));
  const double numbers[] = {0, 1, -1e-300, 1e300};
  __nabla_over_pointer((const char *)numbers, sizeof numbers, "'f' (f.c:7)");
  const float narrow[] = {1, 0, 0, -1e-30F, 0, 1};
  __nabla_over_pointer((const char *)narrow, sizeof narrow, "'f' (f.c:7)");
  __nabla_over_pointer((const char *)(narrow + 1), sizeof narrow - sizeof *narrow, "'f' (f.c:7)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(interleaved_stacks_return_what_was_pushed),
      cmocka_unit_test(a_million_small_records_come_back_in_reverse),
      cmocka_unit_test(a_popped_record_stays_valid),
      cmocka_unit_test(a_copy_reads_back_what_the_stack_keeps),
      cmocka_unit_test(words_serve_64_instances_each),
      cmocka_unit_test(a_stack_may_be_used_after_finish),
      cmocka_unit_test(stacks_nest),
      cmocka_unit_test(arrays_are_aligned_and_may_be_empty),
      cmocka_unit_test(what_cannot_be_had_is_said),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(a_budget_is_kept),
      cmocka_unit_test(rows_come_back_in_reverse),
      cmocka_unit_test(counts_do_not_wrap_around),
      cmocka_unit_test(shadows_are_cleared_or_missed),
      cmocka_unit_test(adjoints_of_doubles_move_as_in_the_model),
      cmocka_unit_test(adjoints_of_floats_move_as_in_the_model),
      cmocka_unit_test(zeroing_touches_only_the_elements),
      cmocka_unit_test(zeroing_floats_touches_only_the_elements),
      cmocka_unit_test(adjoints_of_other_formats_move),
      cmocka_unit_test(pointers_are_copied_as_by_memmove),
      cmocka_unit_test(pointers_are_cleared_alone),
      cmocka_unit_test(a_move_onto_itself_changes_nothing),
      cmocka_unit_test(nothing_to_do_touches_nothing),
      cmocka_unit_test(elements_of_packed_structs_are_found),
      cmocka_unit_test(numbers_that_were_cut_are_found),
      cmocka_unit_test(what_is_released_is_taken_once),
      cmocka_unit_test(numbers_moved_as_pointers_are_found),
      cmocka_unit_test(numbers_over_pointers_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
