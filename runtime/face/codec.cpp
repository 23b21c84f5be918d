#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "codes/bits.hpp"
#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "runtime/atlas/atlas_plans.hpp"
#include "runtime/gpu/device_set.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/machine/roomy_thread.hpp"
#include "runtime/plans/batch_run.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/plans/device_choice.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/plan_cache.hpp"
#include "runtime/plans/plan_improver.hpp"
#include "runtime/plans/quick_plans.hpp"
#include "runtime/plans/repair_plan.hpp"
#include "runtime/stripes/fingerprint.hpp"
#include "runtime/stripes/locate_errors.hpp"
#include "runtime/stripes/stripe_data.hpp"
#include "runtime/stripes/update_stripe.hpp"
#include "runtime/stripes/verify_stripe.hpp"

namespace xorloom {

struct Codec::Impl {
  mutable PlanCache decodings;
  Code code;
  PlanOptions options;
  AtlasPlans atlas;
  std::optional<GivenProgram> given_program;
  mutable QuickPlans quick;
  mutable EncodingPlan encoding;
  std::unique_ptr<PlanImprover> improver;  ///< last: its thread uses all else

  Impl(Code made, PlanOptions chosen, const Options& given, std::optional<GivenProgram> program)
      : decodings(given.plan_cache_bytes),
        code(std::move(made)),
        options(of_codec(std::move(chosen))),
        atlas(given.atlas, code, options),
        given_program(std::move(program)),
        quick(code, options, given.atlas.empty() && !given_program),
        encoding(
            quick.make_encoding(), [this](bool is_best) { return encoding_plan(is_best); },
            quick.making_nanoseconds()) {
    const bool is_searched = code.arrangement == Arrangement::kPacket && given.atlas.empty();
    if (!given.improves_plans || !is_searched || given.effort != Effort::kAuto) return;
    improver = std::make_unique<PlanImprover>(
        [this](const PlanCache::Key& key, const std::function<bool()>& stop_requested) {
          improve(key, stop_requested);
        });
  }

  static PlanOptions of_codec(PlanOptions options) {
    options.refusals = std::make_shared<std::atomic<std::uint64_t>>(0);
    options.rates = rates_with_devices(options);
    return options;
  }

  bool is_given(std::vector<std::size_t> rebuilt) const {
    std::ranges::sort(rebuilt);
    return given_program && given_program->rebuilt == rebuilt;
  }

  Plan given_plan(const PlanOptions& how) const {
    const auto& on_cores = given_program->on_cores;
    return make_plan(code, given_program->program, how, nullptr, on_cores ? &*on_cores : nullptr);
  }

  /// The plan that encodes. Devices that were asked for by name have to run it, as every codec
  /// encodes. Other plans that they cannot run, such as one for decoding, run on the CPU.
  Plan encoding_plan(bool is_best) const {
    PlanOptions how = options;
    how.needs_devices = true;
    if (is_given({})) return given_plan(how);
    if (std::optional<Plan> plan = atlas.encoding(code, how)) return *std::move(plan);
    return make_plan(code, encoding_map(code), is_best ? for_encoding(how) : how);
  }

  Plan decoding_plan(std::span<const std::size_t> lost, std::span<const std::size_t> wanted,
                     const PlanOptions& how) const {
    const auto are_given = [&](std::span<const std::size_t> locations) {
      return is_given({locations.begin(), locations.end()});
    };
    if (!lost.empty() && are_given(lost) && (wanted.empty() || are_given(wanted))) {
      return given_plan(how);
    }
    if (std::optional<Plan> plan = atlas.decoding(code, how, lost, wanted)) {
      return *std::move(plan);
    }
    return make_plan(code, in_memory_map(code, lost, wanted), how);
  }

  Plan keep(PlanCache::Key key, Plan plan, Effort effort, std::uint64_t enough = 0) const {
    decodings.keep(std::move(key), plan, memory_bytes(plan), effort, enough);
    return plan;
  }

  Plan timed_decoding_plan(std::span<const std::size_t> lost,
                           std::span<const std::size_t> wanted) const {
    const auto begin = std::chrono::steady_clock::now();
    Plan plan = decoding_plan(lost, wanted, options);
    const std::chrono::nanoseconds spent = std::chrono::steady_clock::now() - begin;
    quick.note_making(static_cast<std::uint64_t>(spent.count()));
    return plan;
  }

  /// The plan that decodes, for `decoded` bytes of data; 0: the caller wants the plan itself.
  Plan kept_decoding(std::span<const std::size_t> lost, std::span<const std::size_t> wanted,
                     std::uint64_t decoded) const {
    // This throws. It must not look up the key, which may be that of an update.
    if (lost.empty() && !wanted.empty()) return decoding_plan(lost, wanted, options);
    PlanCache::Key key = PlanCache::key_of(lost, wanted);
    std::optional<PlanCache::Found> kept = decodings.find(key, decoded);
    if (kept && !kept->is_due() && (decoded != 0 || kept->enough == 0)) {
      if (improver) improver->offer(key, kept->decoded, decoded);
      return std::move(kept->plan);
    }
    if (!kept && decoded != 0) {
      if (auto made = quick.make(lost, wanted, decoded)) {
        return keep(std::move(key), std::move(made->plan), options.effort, made->enough);
      }
    }
    return keep(std::move(key), timed_decoding_plan(lost, wanted), options.effort);
  }

  /// The plan of an update. Its key wants a location that is not lost, as that of no decoding does.
  Plan update_plan(std::size_t location, std::uint64_t bytes) const {
    if (location >= code.locations) return make_update_plan(code, location, options);  // throws
    PlanCache::Key key = PlanCache::key_of({}, std::array{location});
    std::optional<PlanCache::Found> kept = decodings.find(key, bytes);
    if (kept && !kept->is_due()) return std::move(kept->plan);
    if (!kept) {
      const std::optional<LinearMap> map = update_map(code, location);
      if (auto made = map ? quick.make(*map, bytes) : std::nullopt) {
        return keep(std::move(key), std::move(made->plan), options.effort, made->enough);
      }
    }
    return keep(std::move(key), make_update_plan(code, location, options), options.effort);
  }

  void improve(const PlanCache::Key& key, const std::function<bool()>& stop_requested) const {
    const PlanCache::Sets sets = PlanCache::sets_of(key);
    PlanOptions more = options;
    more.effort = Effort::kQuick;
    more.stop_requested = stop_requested;
    Plan plan = decoding_plan(sets.lost, sets.wanted, more);
    go_on(stop_requested);
    const ForkGuard guard;
    keep(key, std::move(plan), more.effort);
  }
};

void CodecAccess::improve(const Codec& codec, std::span<const std::size_t> erased) {
  const Codec::Impl& impl = *codec.impl_;
  if (!impl.improver) return;
  impl.improve(PlanCache::key_of(erased, {}), [] { return false; });
}

const Plan& CodecAccess::encoding_now(const Codec& codec) { return codec.impl_->encoding.now(); }

const Code& CodecAccess::code_of(const Codec& codec) noexcept { return codec.impl_->code; }

const PlanOptions& CodecAccess::options_of(const Codec& codec) noexcept {
  return codec.impl_->options;
}

Codec::Codec(std::string_view spec, const Options& options) {
  PlanOptions chosen = plan_options(options);  // its errors come before those of the code
  check_devices(chosen.execution.executor);
  Code code = make_code(spec, {options.packet_bytes, options.allow_non_mds});
  impl_ = std::make_shared<const Impl>(std::move(code), std::move(chosen), options, std::nullopt);
}

Codec CodecAccess::codec_of(Code code, const Options& options, std::optional<GivenProgram> given) {
  return Codec(std::make_shared<const Codec::Impl>(std::move(code), plan_options(options), options,
                                                   std::move(given)));
}

Info Codec::info() const {
  const Code& code = impl_->code;
  return {code.locations,
          code.data.size(),
          code.rows(),
          code.k,
          code.m,
          code.w,
          code.packet_bytes,
          chunk_multiple(),
          units_of_chunk(code),
          code.spec,
          impl_->options.isa,
          impl_->options.execution.executor,
          PlanAccess::impl_of(impl_->encoding.now()).computation->facts().code_memory,
          device_names(impl_->encoding.now())};
}

std::size_t Codec::chunk_multiple() const noexcept { return xorloom::chunk_multiple(impl_->code); }

std::size_t Codec::round_up(std::size_t chunk_bytes) const noexcept {
  const std::size_t multiple = chunk_multiple();
  const std::size_t most = std::numeric_limits<std::size_t>::max() / multiple;
  const std::size_t wanted = chunk_bytes / multiple + (chunk_bytes % multiple != 0 ? 1 : 0);
  return std::clamp<std::size_t>(wanted, 1, most) * multiple;
}

Status Codec::encode(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept {
  return impl_->encoding.run([&](const Plan& plan) { return plan.run(chunks, chunk_bytes); });
}

Status Codec::decode(std::uint8_t* const* chunks, std::span<const std::size_t> erased,
                     std::size_t chunk_bytes) const noexcept {
  return decode(chunks, erased, {}, chunk_bytes);
}

Status Codec::decode(std::uint8_t* const* chunks, std::span<const std::size_t> erased,
                     std::span<const std::size_t> wanted, std::size_t chunk_bytes) const noexcept
    try {
  const std::uint64_t decoded = std::max<std::uint64_t>(1, data_bytes(chunk_bytes));
  return impl_->kept_decoding(erased, wanted, decoded).run(chunks, chunk_bytes);
} catch (...) {
  return report_exception();
}

Status Codec::encode_batch(std::span<std::uint8_t* const* const> stripes, std::size_t chunk_bytes,
                           std::span<Status> statuses) const noexcept {
  return impl_->encoding.run([&](const Plan& plan) {
    return run_batch(plan, {stripes, chunk_bytes, stripe_multiple(impl_->code), statuses});
  });
}

Status Codec::decode_batch(std::span<std::uint8_t* const* const> stripes,
                           std::span<const std::span<const std::size_t>> erased,
                           std::size_t chunk_bytes, std::span<Status> statuses) const noexcept {
  const std::uint64_t bytes = data_bytes(chunk_bytes);
  const auto plan_of = [this, bytes](std::span<const std::size_t> lost, std::size_t count) {
    return impl_->kept_decoding(lost, {}, std::max<std::uint64_t>(1, count * bytes));
  };
  return run_batch(plan_of, erased, {stripes, chunk_bytes, stripe_multiple(impl_->code), statuses});
}

Status Codec::encode_device(const DeviceChunks& chunks, std::size_t chunk_bytes) const noexcept {
  return impl_->encoding.now().run_device(chunks, chunk_bytes);
}

Status Codec::decode_device(const DeviceChunks& chunks, std::span<const std::size_t> erased,
                            std::size_t chunk_bytes) const noexcept try {
  return decoding(erased).run_device(chunks, chunk_bytes);
} catch (...) {
  return report_exception();
}

Status Codec::verify(const std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept {
  return impl_->encoding.run(
      [&](const Plan& plan) { return verify_stripe(impl_->code, plan, chunks, chunk_bytes); });
}

ErrorLocation Codec::locate_errors(const std::uint8_t* const* chunks, std::size_t chunk_bytes,
                                   std::span<const std::size_t> lost) const try {
  return checked_errors(impl_->code, impl_->encoding.now(), lost, chunks, chunk_bytes);
} catch (const std::bad_alloc&) {
  fail(Status::kUnsupported, "there is no memory to find which chunks are wrong");
}

std::size_t Codec::fingerprint_bytes() const noexcept {
  return xorloom::fingerprint_bytes(impl_->code);
}

Status Codec::fingerprint(const std::uint8_t* chunk, std::size_t chunk_bytes, std::uint64_t key,
                          std::span<std::uint8_t> fingerprint) const noexcept {
  return fingerprint_chunk(impl_->code, impl_->options.isa, chunk, chunk_bytes, key, fingerprint);
}

ErrorLocation Codec::check_fingerprints(const std::uint8_t* const* fingerprints,
                                        std::span<const std::size_t> lost) const try {
  return xorloom::check_fingerprints(impl_->code, impl_->encoding.now(), lost, fingerprints);
} catch (const std::bad_alloc&) {
  fail(Status::kUnsupported, "there is no memory to find which chunks are wrong");
}

Status Codec::update(std::size_t location, const std::uint8_t* old_data,
                     const std::uint8_t* new_data, std::uint8_t* const* chunks,
                     std::size_t chunk_bytes) const noexcept try {
  if (const WordProducts* const products = update_products(impl_->code, impl_->options)) {
    const std::optional<Status> status =
        update_words(impl_->code, *products, location, old_data, new_data, chunks, chunk_bytes);
    if (status) return *status;
  }
  return update_stripe(impl_->code, impl_->update_plan(location, chunk_bytes), old_data, new_data,
                       chunks, chunk_bytes);
} catch (...) {
  return report_exception();
}

std::size_t Codec::data_bytes(std::size_t chunk_bytes) const noexcept {
  return stripe_data_bytes(impl_->code, chunk_bytes);
}

std::size_t Codec::chunk_bytes_for(std::size_t data_bytes) const {
  return stripe_chunk_bytes(impl_->code, data_bytes);
}

Status Codec::spread(std::span<const std::uint8_t> data, std::uint8_t* const* chunks,
                     std::size_t chunk_bytes) const noexcept {
  return spread_data(impl_->code, data, chunks, chunk_bytes);
}

Status Codec::collect(const std::uint8_t* const* chunks, std::size_t chunk_bytes,
                      std::span<std::uint8_t> data) const noexcept {
  return collect_data(impl_->code, chunks, chunk_bytes, data);
}

Plan Codec::encoding() const { return impl_->encoding.best(); }

Plan Codec::decoding(std::span<const std::size_t> erased,
                     std::span<const std::size_t> wanted) const {
  return impl_->kept_decoding(erased, wanted, 0);
}

Plan Codec::repair(const Repair& repair) const {
  return impl_->atlas.repair(impl_->code, impl_->options, repair);
}

SplitRepair Codec::split(const Repair& repair,
                         std::span<const std::vector<std::size_t>> sites) const {
  return make_split_repair(impl_->code, repair, sites, impl_->options);
}

PlanCounts Codec::plan_counts() const noexcept {
  PlanCounts counts = impl_->decodings.counts();
  impl_->atlas.count(counts);
  counts.code_refused = impl_->options.refusals->load(std::memory_order_relaxed);
  if (impl_->improver) counts.improved = impl_->improver->improved();
  return counts;
}

}  // namespace xorloom
