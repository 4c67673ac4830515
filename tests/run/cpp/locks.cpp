// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Classes whose members are guarded by a lock beside them. */
#define NB_AT_ONCE
#include "cases.h"

#include <mutex>
#include <shared_mutex>

struct Account {
  std::mutex lock;
  real sum = 0;
  int calls = 0;

  void add(real amount) {
    std::lock_guard<std::mutex> guard(lock);
    sum = sum * amount + amount;
    calls++;
  }
  real total() {
    std::unique_lock<std::mutex> guard(lock);
    return sum;
  }
};

SUM(locks_of_members, 3, 0.5, -1.25, 2.0) {
  Account account;
  for (int i = 0; i < n; i++)
    account.add(x[i] * x[0]);
  return account.total() * account.calls;
}

SUM(locks_shared, 3, 0.5, -1.25, 2.0) {
  std::shared_mutex lock;
  std::recursive_mutex again;
  real r = 1;
  for (int i = 0; i < n; i++) {
    std::shared_lock<std::shared_mutex> guard(lock);
    std::lock_guard<std::recursive_mutex> one(again), two(again);
    r *= x[i];
  }
  return again.try_lock() ? r * r : r;
}
