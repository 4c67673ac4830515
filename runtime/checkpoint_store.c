// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L
#include "checkpoint_store.h"

#include "checkpoint.h"
#include "memory.h"
#include "regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_SLOTS = 8 };

static void *allocate(uint64_t bytes) {
  return __nabla_memory_new(bytes ? bytes : 1, "a checkpointed loop", NULL);
}

static void *widened(void *old, uint64_t used, uint64_t bytes) {
  char *wide = allocate(bytes);
  if (used)
    memcpy(wide, old, used);
  memset(wide + used, 0, bytes - used);
  free(old);
  return wide;
}

static void make_room(struct __nabla_checkpoint_store *store, uint64_t slot) {
  uint64_t old = (uint64_t)store->room;
  uint64_t room = old ? old : FIRST_SLOTS;
  while (room <= slot)
    room *= 2;
  if (room == old)
    return;
  store->memory =
      widened((void *)store->memory, old * sizeof *store->memory, room * sizeof *store->memory);
  store->filled = widened(store->filled, old, room);
  store->room = (int64_t)room;
}

static int lies_in_file(const struct __nabla_checkpoint_store *store, uint64_t slot) {
  uint64_t begin;
  return store->folder &&
         (__builtin_mul_overflow(slot, store->bytes, &begin) || begin >= store->budget);
}

/* The file has no name: nobody else can open it, and it vanishes with the program. */
static void open_file(struct __nabla_checkpoint_store *store) {
  static const char name[] = "/nabla-checkpoints-XXXXXX";
  size_t length = strlen(store->folder);
  char *path = allocate(length + sizeof name);
  memcpy(path, store->folder, length);
  memcpy(path + length, name, sizeof name);
  int file = mkstemp(path);
  if (file < 0)
    __nabla_checkpoint_fail("no file can be made in the folder for states (spill_dir)");
  unlink(path);
  free(path);
  store->file = file + 1;
}

typedef ssize_t move(int file, char *memory, size_t bytes, off_t at);

static ssize_t move_out(int file, char *memory, size_t bytes, off_t at) {
  return pwrite(file, memory, bytes, at);
}

static ssize_t move_in(int file, char *memory, size_t bytes, off_t at) {
  return pread(file, memory, bytes, at);
}

static void move_all(struct __nabla_checkpoint_store *store, uint64_t slot,
                     const EnzymeCkptRegion *regions, uint64_t count, move *move) {
  off_t at = (off_t)(slot * store->bytes);
  if (!store->file)
    open_file(store);
  for (uint64_t i = 0; i < count; i++)
    for (uint64_t done = 0; done < regions[i].bytes;) {
      ssize_t moved =
          move(store->file - 1, (char *)regions[i].ptr + done, regions[i].bytes - done, at);
      if (moved < 0 && errno == EINTR)
        continue;
      if (moved <= 0)
        __nabla_checkpoint_fail("the file for states cannot be written or read (spill_dir)");
      done += (uint64_t)moved;
      at += moved;
    }
}

void __nabla_checkpoint_store_put(struct __nabla_checkpoint_store *store, uint64_t slot,
                                  const EnzymeCkptRegion *regions, uint64_t count) {
  make_room(store, slot);
  store->filled[slot] = 1;
  if (lies_in_file(store, slot)) {
    move_all(store, slot, regions, count, move_out);
    return;
  }
  if (!store->memory[slot])
    store->memory[slot] = allocate(store->bytes);
  __nabla_regions_read(regions, count, store->memory[slot]);
}

void __nabla_checkpoint_store_get(struct __nabla_checkpoint_store *store, uint64_t slot,
                                  const EnzymeCkptRegion *regions, uint64_t count) {
  if (slot >= (uint64_t)store->room || !store->filled[slot])
    __nabla_checkpoint_fail("a state is asked for that was never kept");
  if (lies_in_file(store, slot)) {
    move_all(store, slot, regions, count, move_in);
    return;
  }
  __nabla_regions_write(regions, count, store->memory[slot]);
}

void __nabla_checkpoint_store_free(struct __nabla_checkpoint_store *store) {
  for (int64_t i = 0; i < store->room; i++)
    free(store->memory[i]);
  free((void *)store->memory);
  free(store->filled);
  if (store->file)
    close(store->file - 1);
}
