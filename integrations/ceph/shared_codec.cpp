#include "integrations/ceph/shared_codec.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>

#include "codes/code.hpp"
#include "codes/families/families.hpp"
#include "runtime/plans/codec_access.hpp"

namespace xorloom::ceph_plugin {
namespace {

/// The locations that hold data, in the order of the data.
///
/// Errors: throws kUnsupported if one of them holds redundancy, too, or data in another order.
std::vector<int> data_positions(const Code& code) {
  std::vector<int> positions;
  for (std::size_t at = 0; at < code.data.size(); at += code.subchunks) {
    const std::size_t location = code.location_of_cell(code.data[at]);
    for (std::size_t i = 0; i < code.subchunks; ++i) {
      if (at + i < code.data.size() && code.data[at + i] == location * code.subchunks + i) continue;
      throw Error(
          Status::kUnsupported,
          fmt::format("{}: chunk {} holds more than a part of the data; Ceph needs chunks that "
                      "hold data alone or redundancy alone",
                      code.name(), location));
    }
    positions.push_back(static_cast<int>(location));
  }
  return positions;
}

std::shared_ptr<const SharedCodec> made_codec(const std::string& spec, bool allow_non_mds) {
  CodeOptions accepted;
  accepted.allow_non_mds = allow_non_mds;
  accepted.limits.opens_files = false;  // nor does a spec within JSON
  Code code = make_code(spec, accepted);
  std::vector<int> data = data_positions(code);
  const std::vector<bool> has_data = holds_data(code);
  std::vector<int> redundant;
  for (std::size_t i = 0; i < code.locations; ++i) {
    if (!has_data[i]) redundant.push_back(static_cast<int>(i));
  }
  const bool is_words = code.arrangement == Arrangement::kWord;
  const bool any_k_suffice =
      !allow_non_mds && code.promised_losses == redundant.size() && code.subchunks == 1;
  const std::size_t chunks = code.locations;
  Codec codec = CodecAccess::codec_of(std::move(code), Options{});
  const std::size_t sub_chunks = is_words ? codec.info().units : 1;
  return std::shared_ptr<const SharedCodec>(new SharedCodec{std::move(codec),
                                                            chunks,
                                                            std::move(data),
                                                            std::move(redundant),
                                                            sub_chunks,
                                                            any_k_suffice,
                                                            {}});
}

}  // namespace

std::shared_ptr<const SharedCodec> shared_codec(const std::string& spec, bool allow_non_mds) {
  static std::mutex mutex;
  static auto* const kept = new std::map<std::string, std::weak_ptr<const SharedCodec>>;
  const std::lock_guard lock(mutex);
  std::weak_ptr<const SharedCodec>& place = (*kept)[spec];
  std::shared_ptr<const SharedCodec> codec = place.lock();
  if (!codec) {
    codec = made_codec(spec, allow_non_mds);
    place = codec;
  }
  return codec;
}

}  // namespace xorloom::ceph_plugin
