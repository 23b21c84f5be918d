#include "integrations/ceph/profile.hpp"

#include <fmt/format.h>

#include <charconv>
#include <numeric>
#include <string_view>

#include "xorloom/xorloom.hpp"

namespace xorloom::ceph_plugin {
namespace {

constexpr std::size_t kMostNumber = std::size_t{1} << 30;
constexpr std::size_t kLane =
    32;  ///< bytes that chunks are multiples of, where nothing else is said
constexpr std::size_t kIntBytes = 4;  ///< Jerasure's and SHEC's words
constexpr std::size_t kVectorBytes = 16;

/// Keys of a profile.
class Keys {
 public:
  explicit Keys(Values& values) : values_(values) {}

  bool has(const std::string& key) const {
    const auto found = values_.find(key);
    return found != values_.end() && !found->second.empty();
  }

  const std::string& text_or(const std::string& key, const std::string& otherwise) {
    std::string& value = values_[key];
    if (value.empty()) value = otherwise;
    return value;
  }

  std::size_t number_or(const std::string& key, std::size_t lowest, std::size_t highest,
                        std::size_t otherwise) {
    const std::string& text = text_or(key, fmt::format("{}", otherwise));
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < lowest ||
        value > highest) {
      throw Error(Status::kInvalidArgument,
                  fmt::format("{}={} is not a number from {} to {}", key, text, lowest, highest));
    }
    return value;
  }

  bool flag(const std::string& key) {
    const std::string& text = text_or(key, "false");
    return text == "true" || text == "yes" || text == "1";
  }

 private:
  Values& values_;
};

[[noreturn]] void refuse_technique(const std::string& technique, std::string_view known) {
  throw Error(
      Status::kInvalidArgument,
      fmt::format("technique={} is not known here; the techniques are {}", technique, known));
}

/// Refuses what a profile must not have, as the code would be another one.
void refuse(Keys& keys, const std::string& key, std::string_view why) {
  if (!keys.has(key)) return;
  throw Error(Status::kUnsupported,
              fmt::format("{} is set, and {}; Ceph's own plugin does that", key, why));
}

/// The code of a Jerasure technique, and the alignment that Ceph's plugin gives it.
Profile jerasure(Keys& keys, const std::string& technique) {
  const bool is_words = technique == "reed_sol_van" || technique == "reed_sol_r6_op";
  const bool is_cauchy = technique == "cauchy_orig" || technique == "cauchy_good";
  const bool is_raid6 =
      technique == "liberation" || technique == "blaum_roth" || technique == "liber8tion";
  if (!is_words && !is_cauchy && !is_raid6) {
    refuse_technique(technique,
                     "reed_sol_van, reed_sol_r6_op, cauchy_orig, cauchy_good, liberation, "
                     "blaum_roth and liber8tion");
  }
  const bool has_two = is_raid6 || technique == "reed_sol_r6_op";
  const std::size_t k = keys.number_or("k", 2, kMostNumber, is_raid6 ? 2 : 7);
  const std::size_t m =
      keys.number_or("m", has_two ? 2 : 1, has_two ? 2 : kMostNumber, has_two ? 2 : 3);
  const std::size_t w =
      keys.number_or("w", 1, 32, technique == "liberation" || technique == "blaum_roth" ? 7 : 8);

  Profile profile;
  if (is_words) {
    const std::size_t word = w * kIntBytes;
    if (w != 8 && w != 16 && w != 32) {
      throw Error(Status::kInvalidArgument, fmt::format("w={} is not one of 8, 16 and 32", w));
    }
    profile.spec = technique == "reed_sol_van" ? fmt::format("rs:k={},m={},w={}", k, m, w)
                                               : fmt::format("raid6:k={},w={}", k, w);
    const bool is_of_chunk =
        technique == "reed_sol_van" && keys.flag("jerasure-per-chunk-alignment");
    profile.rule = {k, is_of_chunk ? w * kVectorBytes : k * word, is_of_chunk};
    return profile;
  }
  const std::size_t packet = keys.number_or("packetsize", kIntBytes, kMostNumber, 2048);
  const std::string with_packets = fmt::format("w={},packet_bytes={}", w, packet);
  if (is_cauchy) {
    const std::string family = technique == "cauchy_good" ? "cauchy-good" : "cauchy";
    profile.spec = fmt::format("{}:k={},m={},{}", family, k, m, with_packets);
  } else {
    std::string family = technique;
    if (family == "blaum_roth") {
      family = "blaum-roth";
      profile.allow_non_mds = w == 7;  // Ceph's default before it knew better
    }
    profile.spec = fmt::format("{}:k={},{}", family, k, with_packets);
  }
  const std::size_t group = w * packet;
  const bool is_of_chunk = is_cauchy && keys.flag("jerasure-per-chunk-alignment");
  if (is_of_chunk) {
    const std::size_t past = group % kVectorBytes;
    if (past != 0) {
      throw Error(Status::kUnsupported,
                  fmt::format("w={} times packetsize={} is not a multiple of {}, which "
                              "jerasure-per-chunk-alignment needs",
                              w, packet, kVectorBytes));
    }
    profile.rule = {k, group, true};
  } else {
    const bool is_aligned = group * kIntBytes % kVectorBytes == 0;
    profile.rule = {k, k * group * (is_aligned ? kIntBytes : kVectorBytes), false};
  }
  return profile;
}

Profile isa(Keys& keys, const std::string& technique) {
  const bool is_vandermonde = technique == "reed_sol_van";
  if (!is_vandermonde && technique != "cauchy")
    refuse_technique(technique, "reed_sol_van and cauchy");
  const std::size_t k = keys.number_or("k", 2, is_vandermonde ? 32 : 255, 7);
  const std::size_t m = keys.number_or("m", 1, is_vandermonde ? 4 : 255, 3);
  if (is_vandermonde && m == 4 && k > 21) {
    throw Error(Status::kInvalidArgument,
                fmt::format("k={} exceeds 21, the most that reed_sol_van has with m=4", k));
  }
  return {fmt::format("{}:k={},m={}", is_vandermonde ? "isa-vandermonde" : "isa-cauchy", k, m),
          {k, kLane, true},
          false};
}

Profile shec(Keys& keys) {
  const std::string& technique = keys.text_or("technique", "multiple");
  if (technique != "multiple") refuse_technique(technique, "multiple");
  if (keys.has("k") != keys.has("m") || keys.has("k") != keys.has("c")) {
    throw Error(Status::kInvalidArgument, "k, m and c are given together, or none of them");
  }
  // Ceph adds none of these to a profile of shec.
  const bool is_given = keys.has("k");
  const std::size_t k = is_given ? keys.number_or("k", 1, 12, 4) : 4;
  const std::size_t m = is_given ? keys.number_or("m", 1, k, 3) : 3;
  const std::size_t c = is_given ? keys.number_or("c", 1, m, 2) : 2;
  const std::size_t w = keys.has("w") ? keys.number_or("w", 8, 8, 8) : 8;
  return {fmt::format("shec:k={},m={},c={}", k, m, c), {k, k * w * kIntBytes, false}, false};
}

Profile lrc(Keys& keys) {
  refuse(keys, "layers", "its code is not one of k, m and l");
  refuse(keys, "mapping", "its code is not one of k, m and l");
  refuse(keys, "crush-locality", "its CRUSH rule has two steps");
  const std::size_t k = keys.number_or("k", 1, 255, 4);
  const std::size_t m = keys.number_or("m", 1, 255, 2);
  const std::size_t l = keys.number_or("l", 1, 255, 3);
  return {fmt::format("lrc:k={},m={},l={}", k, m, l), {k, k * 8 * kIntBytes, false}, false};
}

Profile clay(Keys& keys) {
  const std::string& scalar = keys.text_or("scalar_mds", "jerasure");
  const std::string& technique = keys.text_or("technique", "reed_sol_van");
  if (scalar != "jerasure" || technique != "reed_sol_van") {
    throw Error(
        Status::kUnsupported,
        fmt::format("scalar_mds={} with technique={} is not known here; scalar_mds=jerasure "
                    "with technique=reed_sol_van is",
                    scalar, technique));
  }
  const std::size_t k = keys.number_or("k", 2, 255, 4);
  const std::size_t m = keys.number_or("m", 1, 255, 2);
  const std::size_t d = keys.number_or("d", k, k + m - 1, k + m - 1);
  const std::size_t q = d - k + 1;
  std::size_t subchunks = 1;
  for (std::size_t i = 0; i < k + m && subchunks < kMostNumber; i += q) {
    subchunks *= q;
    if (q == 1) break;
  }
  return {fmt::format("clay:k={},m={},d={}", k, m, d), {k, subchunks * k * kLane, false}, false};
}

/// The plugin's own name: any technique, in chunks as small as it allows, or any code.
Profile own(Keys& keys) {
  if (keys.has("code")) {
    const std::string& spec = keys.text_or("code", "");
    if (spec.starts_with("file:") && !spec.starts_with("file:{")) {
      throw Error(
          Status::kInvalidArgument,
          fmt::format(
              "code={} is a path, and so another file on each machine; give the JSON itself",
              spec));
    }
    return {spec, {0, kLane, true}, false};
  }
  const std::string& technique = keys.text_or("technique", "cauchy_good");
  keys.text_or("k", "4");
  keys.text_or("m", "2");
  if (technique == "cauchy") return isa(keys, technique);
  if (technique != "reed_sol_van" && technique != "reed_sol_r6_op")
    keys.text_or("packetsize", "512");
  Profile profile = jerasure(keys, technique);
  profile.rule = {0, kLane, true};
  return profile;
}

Profile profile_of(const std::string& plugin, Keys& keys) {
  if (plugin == "xorloom") return own(keys);
  if (plugin == "lrc") return lrc(keys);
  if (plugin == "shec" || plugin == "clay" || plugin == "isa" || plugin == "jerasure") {
    refuse(keys, "mapping", "chunks are where the code has them");
    if (plugin == "shec") return shec(keys);
    if (plugin == "clay") return clay(keys);
    const std::string technique = keys.text_or("technique", "reed_sol_van");
    return plugin == "isa" ? isa(keys, technique) : jerasure(keys, technique);
  }
  throw Error(
      Status::kInvalidArgument,
      fmt::format("the plugin is loaded as '{}'; its names are xorloom, isa, jerasure, shec, "
                  "lrc and clay",
                  plugin));
}

}  // namespace

std::size_t ChunkRule::chunk_bytes(std::size_t data_bytes) const {
  const std::size_t whole = is_of_chunk ? (data_bytes + k - 1) / k : data_bytes;
  const std::size_t rounded = (whole + alignment - 1) / alignment * alignment;
  return is_of_chunk ? rounded : rounded / k;
}

Profile read_profile(const std::string& plugin, Values& values) {
  Keys keys(values);
  Profile profile = profile_of(plugin, keys);
  keys.text_or("crush-root", "default");
  keys.text_or("crush-failure-domain", "host");
  keys.text_or("crush-device-class", "");
  return profile;
}

}  // namespace xorloom::ceph_plugin
