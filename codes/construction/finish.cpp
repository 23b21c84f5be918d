#include "codes/construction/finish.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "codes/construction/bounds.hpp"
#include "codes/text/error.hpp"

namespace xorloom {

void finish_packets(Code& code, const Spec& spec, std::string canonical) {
  code.arrangement = Arrangement::kPacket;
  code.packet_bytes = spec.number_or("packet_bytes", 8, kMaxPacketBytes, kDefaultPacketBytes);
  check_packet_bytes(code.packet_bytes);
  code.spec = fmt::format("{},packet_bytes={}", std::move(canonical), code.packet_bytes);
}

void finish_words(Code& code, const Spec& spec, std::string canonical) {
  const std::string_view arrangement = spec.find("arrangement").value_or("word");
  canonical += fmt::format(",arrangement={}", arrangement);
  if (arrangement == "packet") {
    check_packets_fit(code.k, code.m, code.field);
    return finish_packets(code, spec, std::move(canonical));
  }
  if (arrangement != "word") {
    fail(Status::kInvalidArgument,
         fmt::format("arrangement = '{}' is not word or packet", excerpt(arrangement)));
  }
  if (spec.find("packet_bytes")) {
    fail(Status::kInvalidArgument,
         fmt::format("packet_bytes = {} needs arrangement=packet: {} lays out words",
                     excerpt(*spec.find("packet_bytes")), code.family));
  }
  check_word_bits(code.field.w());
  code.arrangement = Arrangement::kWord;
  code.spec = std::move(canonical);
}

}  // namespace xorloom
