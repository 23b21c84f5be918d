#include "codes/families/families.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "codes/text/closest.hpp"
#include "codes/text/error.hpp"
#include "codes/text/split.hpp"
#include "codes/tolerance.hpp"

namespace xorloom {

// The table of families. Each record is in the file of its family. A new family is declared here
// and listed below, in the order of documentation.
extern const Family kCauchy, kCauchyGood, kRs, kIsaCauchy, kIsaVandermonde, kRaid6, kLiberation,
    kBlaumRoth, kLiber8tion, kEvenodd, kRdp, kXCode, kParity, kHamming, kHover, kShec, kLrc, kClay,
    kZigzag, kFile, kRsPoly, kLeopard;

namespace {

constexpr std::array kFamilies = {
    &kCauchy,  &kCauchyGood, &kRs,         &kRsPoly,    &kIsaCauchy,  &kIsaVandermonde,
    &kLeopard, &kRaid6,      &kLiberation, &kBlaumRoth, &kLiber8tion, &kEvenodd,
    &kRdp,     &kXCode,      &kParity,     &kHamming,   &kHover,      &kShec,
    &kLrc,     &kClay,       &kZigzag,     &kFile};

const Family& find_family(std::string_view name) {
  const auto family = std::ranges::find(kFamilies, name, &Family::name);
  if (family == kFamilies.end()) {
    std::vector<std::string_view> names;
    for (const Family* each : kFamilies) names.push_back(each->name);
    // Names with . or / are those of files.
    const bool is_path = name.find_first_of("./") != std::string_view::npos;
    const std::string meant =
        is_path ? fmt::format("; did you mean file:{}? A matrix alone is for optimize and report",
                              excerpt(name))
                : did_you_mean(name, names);
    fail(Status::kInvalidArgument, "there is no family '{}'{}", excerpt(name),
         meant.empty() ? fmt::format("; the families are {}", fmt::join(names, ", ")) : meant);
  }
  return **family;
}

/// Reads the arrangement of a code, and completes its canonical spec.
void finish(Code& code, const Family& family, Spec& spec) {
  const bool may_be_words = family.has_key("arrangement");
  const std::string_view arrangement =
      may_be_words ? spec.find("arrangement").value_or("word") : "packet";
  if (may_be_words) spec.settle("arrangement", std::string(arrangement));
  if (arrangement == "packet") {
    if (may_be_words) check_packets_fit(code.k, code.m, code.field);
    code.arrangement = Arrangement::kPacket;
    code.packet_bytes = spec.number_or("packet_bytes", 1, kMaxPacketBytes, kDefaultPacketBytes);
    check_packet_bytes(code.packet_bytes);
    code.plane_bytes = 0;
  } else if (arrangement == "word") {
    if (const auto bytes = spec.find("packet_bytes")) {
      fail(Status::kInvalidArgument,
           "packet_bytes = {} needs arrangement=packet: {} lays out words", excerpt(*bytes),
           code.family);
    }
    check_word_bits(code.field.w());
    code.arrangement = Arrangement::kWord;
  } else {
    fail(Status::kInvalidArgument, "arrangement = '{}' is not word or packet",
         excerpt(arrangement));
  }
  code.spec = spec.canonical(family.keys);
}

}  // namespace

std::span<const Family* const> families() { return kFamilies; }

std::vector<OtherSoftware> software_of(const Code& code) {
  const Family& family = find_family(code.family);
  const Arrangement usual =
      family.has_key("arrangement") ? Arrangement::kWord : Arrangement::kPacket;
  std::vector<OtherSoftware> software;
  if (code.arrangement != usual) return software;
  std::ranges::copy_if(
      family.same_bytes, std::back_inserter(software),
      [&](const OtherSoftware& other) { return other.has == nullptr || other.has(code); });
  for (OtherSoftware& other : software) {
    if (other.compared_w != 0 && other.compared_w != code.w) other.is_compared = false;
  }
  return software;
}

Code make_code(std::string_view text, const CodeOptions& options) {
  Spec spec(text, options.limits);
  const Family& family = find_family(spec.family());
  for (const auto& [key, value] : spec.values()) {
    if (family.has_key(key)) continue;
    const bool is_named = text.find(key + "=") != std::string_view::npos;
    fail(Status::kInvalidArgument, "{} does not know the key '{}'{}: it takes {}{}", family.name,
         excerpt(key), is_named ? "" : ", which a number without a key stands for here",
         family.keys, is_named ? did_you_mean(key, split(family.keys, ' ')) : "");
  }
  if (options.packet_bytes != 0) {
    const std::string wanted = fmt::format("{}", options.packet_bytes);
    const auto given = spec.find("packet_bytes");
    if (given && spec.number("packet_bytes", 1, kMaxPacketBytes) != options.packet_bytes) {
      fail(Status::kInvalidArgument,
           "packet_bytes = {} contradicts packet_bytes = {} in the code spec", wanted, *given);
    }
    if (!given) spec.add("packet_bytes", wanted);
  }
  Code code = family.build(spec);
  if (code.spec.empty()) finish(code, family, spec);  // code files set their spec themselves
  if (options.allow_non_mds) return code;
  const Tolerance tolerance = decide_tolerance(code, code.promised_losses);
  if (tolerance.answer != Tolerance::Answer::kProved) {
    const bool is_refuted = tolerance.answer == Tolerance::Answer::kRefuted;
    fail(Status::kInvalidArgument, "{} {} {}: {}; option allow_non_mds accepts it anyway",
         code.name(), is_refuted ? "does not survive every set of" : "is not proved to survive any",
         losses_text(code.promised_losses), tolerance.reason);
  }
  return code;
}

}  // namespace xorloom
