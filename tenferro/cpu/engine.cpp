// SPDX-License-Identifier: MIT OR Apache-2.0
#include "tenferro/cpu/engine.hpp"

#include <utility>

#include "tenferro/backend/thread_record.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/gemm_provider.hpp"
#include "tenferro/cpu/simd.hpp"

namespace tenferro {

std::string describe(const ResourcesBusy& info) {
  return concat("resources of ", info.backend, ": a session has them (expected no active session)");
}

CpuEngine::CpuEngine(CpuDomainOptions options)
    : domain_(std::move(options)),
      team_(domain_.kind() == DomainKind::managed ? Team::for_set(domain_.cpus()) : nullptr),
      slots_(domain_.is_exclusive()) {}

std::shared_ptr<CpuEngine> CpuEngine::make(CpuDomainOptions options) {
  internal::settle_simd_target();
  internal::settle_gemm_provider();
  return {new CpuEngine(std::move(options)), &CpuEngine::drop};
}

// A closure may destroy the backend that it was entered through. Only the thread of a session has a session pool; in a
// lane of somebody else's session the owner alone would be no proof.
void CpuEngine::drop(CpuEngine* engine) noexcept {
  internal::ThreadRecord& record = internal::thread_record;
  const bool in_session = record.owner == engine && record.session_pool != nullptr;
  if (in_session || record.scope == engine) {
    record.orphaned = true;
  } else {
    delete engine;
  }
}

void CpuEngine::end_orphan() noexcept {
  internal::ThreadRecord& record = internal::thread_record;
  if (record.scope != nullptr) return;
  record.orphaned = false;
  delete this;
}

void CpuEngine::parallel_for(std::int64_t count, double ns_per_item,
                             FunctionRef<void(std::int64_t, std::int64_t)> body) {
  if (team_ != nullptr) return team_->parallel_for(domain_.threads(), count, ns_per_item, body);
  if (count <= 0) return;
  const ChunkPlan plan = plan_chunks(count, ns_per_item);
  const auto chunk = [&](std::uint32_t c) { body(plan.begin(c), plan.end(c)); };
  if (plan.chunks == 1 || lanes() == 1) {
    for (std::uint32_t c = 0; c < plan.chunks; ++c) chunk(c);
    return;
  }
  external_runs_.fetch_add(1, std::memory_order_relaxed);
  run_jobs(*domain_.executor(), domain_.backend(), plan.chunks, chunk);
}

EngineStats CpuEngine::stats() const {
  EngineStats s;
  s.scopes = scopes_.load(std::memory_order_relaxed);
  s.direct_admissions = scope_direct_.load(std::memory_order_relaxed);
  s.queued_admissions = scope_queued_.load(std::memory_order_relaxed);
  s.installs = scope_installs_.load(std::memory_order_relaxed);
  s.external_runs = external_runs_.load(std::memory_order_relaxed);
  slots_.inspect([&](const ResourceSet& set) {
    ++s.resource_sets;
    s.sessions += set.sessions.get();
    s.direct_admissions += set.direct.get();
    s.queued_admissions += set.queued.get();
    s.installs += set.installs.get();
    s.pool += set.pool->stats();
  });
  return s;
}

tl::expected<void, ResourcesBusy> CpuEngine::trim() {
  if (slots_.manage([](ResourceSet& set) { set.pool->trim(); })) return {};
  return tl::unexpected(ResourcesBusy{domain_.backend()});
}

tl::expected<void, ResourcesBusy> CpuEngine::clear() {
  const auto clear_set = [](ResourceSet& set) {
    set.caches.clear();
    set.pool->clear();
  };
  if (slots_.manage(clear_set)) return {};
  return tl::unexpected(ResourcesBusy{domain_.backend()});
}

tl::expected<void, ResourcesBusy> CpuEngine::set_pool_cap(std::uint64_t bytes) {
  const auto apply = [&](ResourceSet& set) {
    slots_.budget().set_cap(bytes);
    set.pool->trim();
  };
  if (slots_.manage(apply)) {
    slots_.budget().set_cap(bytes);
    return {};
  }
  return tl::unexpected(ResourcesBusy{domain_.backend()});
}

}  // namespace tenferro
