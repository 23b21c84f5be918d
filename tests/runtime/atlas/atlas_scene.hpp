#pragma once

#include <fmt/format.h>
#include <cstddef>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "runtime/atlas/atlas.hpp"
#include "runtime/atlas/make_atlas.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/subsets.hpp"
#include "tests/support/temporary_folder.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::test {

/// Makes the atlas of a code in a folder, and returns its bytes.
inline std::string made_atlas(const TemporaryFolder& folder, const std::string& name,
                              const std::string& spec, std::size_t threads = 1) {
  const Code code = make_code(spec, {.packet_bytes = 0, .allow_non_mds = true});
  AtlasProgress progress;
  const AtlasBuildOptions making{folder / name, atlas_subject(code), threads};
  if (!make_atlas(code, making, progress)) throw std::runtime_error("no atlas was made");
  return folder.read(name);
}

/// Describes the first failure of a codec that encodes, and then rebuilds every recoverable set of
/// at most `losses` lost locations. Empty: no failure.
inline std::string flaw_of(const Codec& codec, const Code& code, std::size_t losses) {
  const std::size_t chunk_bytes = 2 * codec.chunk_multiple();
  Stripe expected(code.locations, chunk_bytes, 7);
  const Codec plain(code.spec, {.packet_bytes = code.packet_bytes, .allow_non_mds = true});
  if (plain.encode(expected.chunks(), chunk_bytes) != Status::kOk) return "it does not encode";
  Stripe stripe = expected;
  for (const Cell cell : code.redundant) stripe.lose(code.location_of_cell(cell));
  for (std::size_t l = 0; l < code.locations; ++l) {
    // Locations that also hold data keep it: encoding must not lose it.
    if (holds_data(code)[l]) std::ranges::copy(expected.chunk(l), stripe.chunk(l).begin());
  }
  if (codec.encode(stripe.chunks(), chunk_bytes) != Status::kOk || !(stripe == expected)) {
    return "encoding";
  }
  for (const std::vector<std::size_t>& lost : subsets(code.locations, losses)) {
    Stripe left = expected;
    for (const std::size_t location : lost) left.lose(location);
    const Status status = codec.decode(left.chunks(), lost, chunk_bytes);
    if (status != (is_recoverable(code, lost) ? Status::kOk : Status::kDamaged)) {
      return fmt::format("the status of losing {}", set_text(lost));
    }
    if (status == Status::kOk && !(left == expected))
      return fmt::format("losing {}", set_text(lost));
    if (!left.guards_intact())
      return fmt::format("bytes beside the chunks, losing {}", set_text(lost));
  }
  return {};
}

inline std::string flaw_of(const std::string& spec, const Options& options, PlanCounts* counts) {
  const Code code = make_code(spec, {options.packet_bytes, true});
  const Codec codec(spec, options);
  std::string flaw = flaw_of(codec, code, code.m);
  if (counts != nullptr) *counts = codec.plan_counts();
  return flaw;
}

/// The kind of the error of making a codec with an atlas, or kOk.
inline Status refusal(const std::string& spec, const std::string& path,
                      std::string* why = nullptr) {
  try {
    const Codec codec(spec, {.allow_non_mds = true, .atlas = path});
  } catch (const Error& error) {
    if (why != nullptr) *why = error.what();
    return error.kind();
  }
  return Status::kOk;
}

}  // namespace xorloom::test
