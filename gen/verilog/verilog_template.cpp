#include "gen/verilog/verilog_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "codes/text/error.hpp"

namespace xorloom {

std::string filled(std::string_view text,
                   std::initializer_list<std::pair<std::string_view, std::string>> values) {
  std::string result;
  while (true) {
    const std::size_t begin = text.find('@');
    const bool is_last = begin == std::string_view::npos;
    // An event control, as in always @(posedge clk).
    const bool is_event = !is_last && text.substr(begin + 1).starts_with('(');
    result += text.substr(0, is_event ? begin + 1 : begin);
    if (is_last) return result;
    if (is_event) {
      text.remove_prefix(begin + 1);
      continue;
    }
    const std::size_t end = text.find('@', begin + 1);
    const std::string_view name = text.substr(begin + 1, end - begin - 1);
    const auto* const value =
        std::ranges::find(values, name, &std::pair<std::string_view, std::string>::first);
    if (value == values.end())
      fail(Status::kInternal, fmt::format("nothing stands for @{}@", name));
    result += value->second;
    text.remove_prefix(end + 1);
  }
}

std::size_t bits_below(std::size_t bound) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(bound - 1)));
}

std::string verilog_number(std::size_t bits, std::size_t value) {
  return fmt::format("{}'d{}", bits, value);
}

std::string runs_text(std::span<const std::uint32_t> numbers, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t next = i + 1;
    while (next < numbers.size() && numbers[next] == numbers[next - 1] + 1) ++next;
    if (!text.empty()) text += between;
    text += next == i + 1 ? fmt::format("{}", numbers[i])
                          : fmt::format("{}-{}", numbers[i], numbers[next - 1]);
    i = next;
  }
  return text;
}

std::string xorshift_wires(std::string_view one, std::string_view two, std::string_view three) {
  return fmt::format(
      "  // A random number of 32 bits follows the other (xorshift, G. Marsaglia 2003).\n"
      "  wire [31:0] {0} = random ^ random << 13;\n"
      "  wire [31:0] {1} = {0} ^ {0} >> 17;\n"
      "  wire [31:0] {2} = {1} ^ {1} << 5;\n",
      one, two, three);
}

std::string hexadecimal(const std::vector<Field::Symbol>& symbols, std::size_t w) {
  std::vector<unsigned> digits((symbols.size() * w + 3) / 4);
  for (std::size_t i = 0; i < symbols.size() * w; ++i) {
    digits[i / 4] |= (symbols[i / w] >> (i % w) & 1U) << (i % 4);
  }
  std::string text;
  for (std::size_t i = digits.size(); i-- > 0;) text += "0123456789abcdef"[digits[i]];
  return text;
}

}  // namespace xorloom
