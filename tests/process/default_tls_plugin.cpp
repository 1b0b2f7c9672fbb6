// SPDX-License-Identifier: MIT OR Apache-2.0
// A thread-local of the default model in a shared object: what check_thread_locals.py must find.

namespace {
thread_local int counter = 0;
}

extern "C" int next_of_thread();
extern "C" int next_of_thread() { return ++counter; }
