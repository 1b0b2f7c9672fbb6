// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What a thread is doing, as far as session entry must know. Every backend family reads and writes the same record, so
// that a session of one family refuses the entry of another. It is the one thread-local of the library: constant
// initialised and trivially destructible, hence valid from the first to the last instruction of a thread, and bound to
// the initial-exec model, hence one load away also in a shared library.

#include <cstdint>
#include <type_traits>

namespace tenferro::internal {

/// State of one thread. All zero outside sessions, scopes and regions, except the last two fields, which are memory of
/// earlier entries.
struct ThreadRecord {
  /// Who is executing on this thread: an engine, a guard, or the region that a helper serves. Null: nobody; only then
  /// may a session be entered.
  const void* owner;
  /// The engine whose execution scope is open on this thread.
  const void* scope;
  /// The pool whose plain free lists this thread may touch.
  const void* session_pool;
  /// The thread's presence line in the process-wide arbiter, and its number.
  void* presence;
  std::uint32_t presence_index;
  /// A session or an operation is active inside `scope`.
  bool scope_loan;
  /// A session of a family other than the CPU is active.
  bool in_session;
  /// Running a chunk of a parallel region.
  bool lane;
  /// A helper thread of a team, for its whole life. Helpers never park for admission.
  bool team_worker;
  /// The engine that is executing, or whose scope is open, has lost its last handle: it ends with them.
  bool orphaned;
};
static_assert(std::is_trivially_destructible_v<ThreadRecord> && sizeof(ThreadRecord) <= 128);

extern thread_local constinit ThreadRecord thread_record __attribute__((tls_model("initial-exec")));

}  // namespace tenferro::internal
