#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/gpu/device_set.hpp"
#include "runtime/gpu/opencl_device.hpp"
#include "runtime/plans/plan.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/temporary_folder.hpp"
#include "xorloom/xorloom.hpp"

// Parts shared by the tests of devices.

namespace xorloom {

/// Caches of this process alone, so that kernels are compiled in it: ours, and that of PoCL, which
/// runs OpenCL on processors. Made before a device is looked for.
inline const TemporaryFolder& own_caches() {
  static const TemporaryFolder folder;
  static const bool is_set = [] {
    ::setenv("POCL_CACHE_DIR", folder.path().c_str(), 1);
    ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    return true;
  }();
  static_cast<void>(is_set);
  return folder;
}

/// The devices of OpenCL here, with functions of a test's.
inline std::vector<std::shared_ptr<const Device>> devices_by(const OpenclApi& api) {
  std::string why;
  return opencl_devices(api, why);
}

/// Why OpenCL has no device here; empty if it has some.
inline std::string why_no_opencl() {
  own_caches();
  return device_set(Executor::kOpencl)->why_none;
}

#define SKIP_WITHOUT_OPENCL()                              \
  if (!why_no_opencl().empty()) {                          \
    MESSAGE("SKIPPED: there is no device of OpenCL here"); \
    return;                                                \
  }

/// Puts devices in place of the machine's as long as it lives.
class OtherDevices {
 public:
  OtherDevices(Executor executor, std::shared_ptr<const DeviceSet> set)
      : executor_(executor), before_(replace_device_set(executor, std::move(set))) {}
  OtherDevices(const OtherDevices&) = delete;
  OtherDevices& operator=(const OtherDevices&) = delete;
  ~OtherDevices() { replace_device_set(executor_, before_); }

 private:
  Executor executor_;
  std::shared_ptr<const DeviceSet> before_;
};

/// Hears what set_log() is told as long as it lives.
class Heard {
 public:
  Heard() {
    set_log([](const char* sentence,
               void* context) { static_cast<Heard*>(context)->sentences.emplace_back(sentence); },
            this);
  }
  Heard(const Heard&) = delete;
  Heard& operator=(const Heard&) = delete;
  ~Heard() { set_log(nullptr, nullptr); }

  std::vector<std::string> sentences;
};

/// The sentence with which a codec on devices is refused; "" if it is not.
inline std::string refusal_of(Executor executor, const std::string& spec) {
  return test::refusal(Status::kUnsupported,
                       [&] { const Codec codec(spec, {.executor = executor}); });
}

/// A stripe of random data with redundancy by the oracle.
inline Stripe encoded_stripe(const Code& code, std::size_t chunk_bytes) {
  const Stripe stripe(code.locations, chunk_bytes, 17 + chunk_bytes, 9);
  oracle(code, encoding_map(code), stripe.chunks(), chunk_bytes);
  return stripe;
}

/// Encodes with a codec where redundancy alone is lost, and compares with the oracle.
inline void check_encoding(const Codec& codec, const Code& code, std::size_t chunk_bytes) {
  CAPTURE(code.spec);
  CAPTURE(chunk_bytes);
  const Stripe expected = encoded_stripe(code, chunk_bytes);
  Stripe stripe = expected;
  for (const std::size_t location : codec.encoding().writes()) {
    const auto units = codec.encoding().units_written(location);
    if (units.size() == codec.info().units) stripe.lose(location);
  }
  REQUIRE(codec.encode(stripe.chunks(), chunk_bytes) == Status::kOk);
  CHECK(stripe == expected);
  CHECK(stripe.guards_intact());
}

/// Loses chunks and decodes them with a plan that devices run.
inline void check_decoding(const Codec& codec, const Code& code,
                           const std::vector<std::size_t>& lost, std::size_t chunk_bytes) {
  CAPTURE(code.spec);
  CAPTURE(chunk_bytes);
  const Stripe expected = encoded_stripe(code, chunk_bytes);
  Stripe stripe = expected;
  for (const std::size_t location : lost) stripe.lose(location);
  const Plan plan = codec.decoding(lost);
  CHECK(PlanAccess::impl_of(plan).why_no_device == "");
  REQUIRE(plan.run(stripe.chunks(), chunk_bytes) == Status::kOk);
  CHECK(stripe == expected);
  CHECK(stripe.guards_intact());
}

}  // namespace xorloom
