// SPDX-License-Identifier: MIT OR Apache-2.0
#pragma once

// What families keep from session to session because it is dear to make: plans, analyses, workspaces. A backend keeps
// one SessionCaches with the resources that a session holds alone, so nothing here is locked; the cache-aware way into
// a session (with_session_cached) hands it to the closure. Whoever plans once and keeps the plan needs none of this.
//
// Example (tenferro/cpu/cpu_backend.hpp, tenferro/ops/elementwise.hpp):
//     struct Ramps final : BoundedCache<std::int64_t, Tensor, 2> {};         // two of them at most
//     CpuBackend cpu;
//     int made = 0;
//     for (const std::int64_t n : {3, 3, 4, 5}) {
//       Tensor y = cpu.with_session_cached(nullptr, [&](BackendSession& s, SessionCaches& caches) {
//         auto& ramps = caches.of<Ramps>();
//         const Tensor& ramp = ramps.get(n, [&] {
//           ++made;
//           return Tensor::linspace(0.0, 1.0, n);
//         });
//         CHECK(ramps.size() <= 2);
//         return exp(s, ramp);
//       });
//     }
//     CHECK(made == 3);
//     cpu.with_session_cached(nullptr, [](BackendSession&, SessionCaches& caches) { caches.clear(); });

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tenferro {

/// Base of the cache of one family. It is bounded, and keeps nothing borrowed: what it holds is true in every later
/// session of the same backend. Its keys name everything that can change the value.
class SessionCache {
 public:
  virtual ~SessionCache() = default;
  SessionCache(const SessionCache&) = delete;
  SessionCache& operator=(const SessionCache&) = delete;
  /// Forgets everything; called while no session has the cache.
  virtual void clear() noexcept = 0;

 protected:
  SessionCache() = default;
};

/// The caches of one resource set, or of a caller that brings its own: one of each type. Used by one session at a time.
class SessionCaches {
 public:
  SessionCaches() noexcept = default;

  /// The cache of type C, made at the first call. Lives until this object dies.
  template <std::derived_from<SessionCache> C>
  C& of() {
    for (const Slot& slot : slots_) {
      if (slot.type == &kType<C>) return static_cast<C&>(*slot.cache);
    }
    slots_.push_back({&kType<C>, std::make_unique<C>()});
    return static_cast<C&>(*slots_.back().cache);
  }
  /// Empties every cache.
  void clear() noexcept {
    for (const Slot& slot : slots_) slot.cache->clear();
  }

 private:
  struct Slot {
    const char* type;
    std::unique_ptr<SessionCache> cache;
  };
  template <class C>
  static constexpr char kType = 0;  // its address stands for the type

  std::vector<Slot> slots_;
};

/// At most `Most` values by key; the one that was not asked for the longest makes room for another.
template <class Key, class Value, std::size_t Most = 64, class Hash = std::hash<Key>>
class BoundedCache : public SessionCache {
  static_assert(Most > 0);

 public:
  /// The value for `key`, made by make() if it is not here; valid until the next call of get or clear. If make throws,
  /// nothing changes.
  template <std::invocable Make>
  Value& get(const Key& key, Make&& make) {
    auto found = values_.find(key);
    if (found == values_.end()) {
      Value made = std::forward<Make>(make)();
      if (values_.size() == Most) evict();
      found = values_.emplace(key, Entry{std::move(made), 0}).first;
    }
    found->second.last_use = ++clock_;
    return found->second.value;
  }
  std::size_t size() const noexcept { return values_.size(); }
  void clear() noexcept override { values_.clear(); }

 private:
  struct Entry {
    Value value;
    std::uint64_t last_use;
  };

  void evict() noexcept {
    auto oldest = values_.begin();
    for (auto it = values_.begin(); it != values_.end(); ++it) {
      if (it->second.last_use < oldest->second.last_use) oldest = it;
    }
    values_.erase(oldest);
  }

  std::unordered_map<Key, Entry, Hash> values_;
  std::uint64_t clock_ = 0;
};

}  // namespace tenferro
