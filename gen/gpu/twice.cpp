#include "gen/gpu/twice.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "gen/source/source_tokens.hpp"

namespace xorloom {
namespace {

constexpr const char* kBegin =
    "// Every symbol times 2: shifted, plus the polynomial where a bit came out.\n"
    "XL_FUNCTION xl_vec xl_twice(xl_vec x) {\n";

/// A symbol in every place of a vector.
std::uint64_t in_all_places(std::uint64_t symbol, std::size_t w, std::size_t vector_bytes) {
  for (std::size_t bits = w; bits < 8 * vector_bytes; bits *= 2) symbol |= symbol << bits;
  return symbol;
}

/// What the text says, as numbers.
struct Twice {
  std::uint64_t low;
  std::uint64_t shift;
  std::uint64_t ones;
  std::uint64_t polynomial;

  std::uint64_t of(std::uint64_t x) const {
    return ((x & low) << 1) ^ (((x >> shift) & ones) * polynomial);
  }
};

}  // namespace

std::string define_twice(const Field& field, std::size_t vector_bytes) {
  const std::size_t w = field.w();
  const std::uint64_t top = std::uint64_t{1} << (w - 1);
  std::string text = fmt::format(
      "{0}"
      "  return ((x & (xl_vec)0x{1:0{5}x}) << 1) ^\n"
      "         (((x >> {2}) & (xl_vec)0x{3:0{5}x}) * (xl_vec)0x{4:x});\n"
      "}}\n",
      kBegin, in_all_places(top - 1, w, vector_bytes), w - 1, in_all_places(1, w, vector_bytes),
      field.polynomial() ^ std::uint64_t{1} << w, 2 * vector_bytes);
  check_twice(field, vector_bytes, text);
  return text;
}

void check_twice(const Field& field, std::size_t vector_bytes, std::string_view text) {
  SourceTokens tokens;
  tokens.read(text);
  tokens.expect(kBegin);
  Twice twice{};
  tokens.expect("return ((x & (xl_vec)");
  twice.low = tokens.number();
  tokens.expect(") << 1) ^");
  tokens.expect("(((x >>");
  twice.shift = tokens.number();
  tokens.expect(") & (xl_vec)");
  twice.ones = tokens.number();
  tokens.expect(") * (xl_vec)");
  twice.polynomial = tokens.number();
  tokens.expect(");");
  tokens.expect("}");
  if (!tokens.is_at_end()) tokens.bad_here("more than xl_twice");
  const std::size_t w = field.w();
  for (std::size_t place = 0; place < 8 * vector_bytes; ++place) {
    const std::size_t first = place / w * w;
    const std::uint64_t product =
        field.multiply_by_shifts(Field::Symbol{1} << (place - first), field.symbol_of(2));
    std::uint64_t doubled = twice.of(std::uint64_t{1} << place);
    if (vector_bytes == 4) doubled = static_cast<std::uint32_t>(doubled);
    if (doubled != product << first) tokens.bad(fmt::format("bit {} is not doubled", place));
  }
}

}  // namespace xorloom
