#include "codes/text/error.hpp"

#include <fmt/format.h>

#include <array>

namespace xorloom {

const char* to_string(Status status) noexcept {
  constexpr std::array kNames = {"ok",
                                 "invalid argument",
                                 "parse error",
                                 "unsupported",
                                 "input/output error",
                                 "damaged beyond repair",
                                 "internal error"};
  const auto index = static_cast<std::size_t>(status);
  return index < kNames.size() ? kNames[index] : "unknown status";
}

void fail(Status kind, const std::string& sentence) { throw Error(kind, sentence); }

std::string printable(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters, too. In UTF-8 they are 0xc2 and a second byte.
    const bool is_c1 = byte == 0xc2 && i + 1 < text.size() &&
                       static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
                       static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (is_c1) text[i + 1] = '?';
    if (is_c1 || byte < 0x20 || byte == 0x7f) text[i] = '?';
  }
  return text;
}

std::string excerpt(std::string_view text, std::size_t most) {
  if (text.size() <= most) return printable(std::string(text));
  // In UTF-8, all bytes of a character except the first begin with the bits 10.
  std::size_t end = most;
  while (end > 0 && most - end < 3 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return fmt::format("{}… ({} bytes)", printable(std::string(text.substr(0, end))), text.size());
}

}  // namespace xorloom
