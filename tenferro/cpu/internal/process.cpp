// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/internal/process.hpp"

#include <pthread.h>

#include <mutex>

#include "tenferro/backend/thread_record.hpp"
#include "tenferro/cpu/arbiter.hpp"
#include "tenferro/cpu/resource_slots.hpp"

namespace tenferro::internal {

constinit std::atomic<std::uint32_t> process_generation{0};

namespace {

// Order of locks: registry of teams, arbiter; resources stand alone.
void before_fork() noexcept {
  lock_team_registry();
  the_arbiter.before_fork();
  resource_mutex.lock();
}

void after_fork_in_parent() noexcept {
  resource_mutex.unlock();
  the_arbiter.after_fork_in_parent();
  unlock_team_registry();
}

void after_fork_in_child() noexcept {
  process_generation.fetch_add(1, std::memory_order_relaxed);
  resource_mutex.unlock();
  the_arbiter.after_fork_in_child(static_cast<const PresenceLine*>(thread_record.presence));
  forget_teams_in_child();
  unlock_team_registry();
}

// A thread that ends gives its presence line back. The key is deleted when the library is unloaded, so that no thread
// calls code that is gone.
struct ThreadEnd {
  pthread_key_t key{};
  bool usable = false;
  std::once_flag made;
};
constinit ThreadEnd thread_end;

void at_thread_end(void* line) noexcept {
  thread_record.presence = nullptr;
  the_arbiter.lines().give_back(*static_cast<PresenceLine*>(line));
}

[[gnu::destructor]] void at_unload() noexcept {
  if (thread_end.usable) ::pthread_key_delete(thread_end.key);
  thread_end.usable = false;
}

}  // namespace

void install_fork_handlers() {
  // The C library drops the handlers by itself when the library is unloaded.
  static std::once_flag once;
  std::call_once(once, [] { ::pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); });
}

PresenceLine& attach_presence_line() {
  std::call_once(thread_end.made,
                 [] { thread_end.usable = ::pthread_key_create(&thread_end.key, at_thread_end) == 0; });
  PresenceLine& line = the_arbiter.lines().claim();
  thread_record.presence = &line;
  thread_record.presence_index = line.index;
  if (thread_end.usable) ::pthread_setspecific(thread_end.key, &line);
  return line;
}

}  // namespace tenferro::internal
