#include "gen/source/word_constants.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "codes/field/byte_maps.hpp"
#include "gen/text/source_tokens.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kNumbersPerLine = 8;
constexpr std::size_t kMatricesPerLine = 3;
constexpr const char* kAligned = "__attribute__((aligned(32)))";

bool is_table(const WordForm& form) { return form.constants == WordForm::Constants::kTables; }

/// Numbers of an array, and bytes of each.
std::size_t numbers_of(const WordForm& form, const Field& field) {
  return unit_bytes(field) * unit_bytes(field) * (is_table(form) ? kNibbleMapBytes : 1);
}

/// Where a byte of the maps stands in an array: which number, and which byte of it.
struct Place {
  std::size_t number;
  std::size_t byte;
};
Place place_of(const WordForm& form, std::size_t bytes, std::size_t in, std::size_t out,
               std::size_t i) {
  const std::size_t turn = (in + bytes - out) % bytes;
  if (!is_table(form)) return {turn * bytes + out, i};
  return {((turn * 2 + i / 16) * bytes + out) * 16 + i % 16, 0};
}

/// Calls a function with each byte of the maps of a coefficient, and its place in an array.
void for_each_byte(const WordForm& form, const Field& field,
                   const std::function<void(std::size_t byte, Place place)>& call) {
  const std::size_t bytes = unit_bytes(field);
  const std::size_t map_bytes = is_table(form) ? kNibbleMapBytes : kBitMapBytes;
  for (std::size_t in = 0; in < bytes; ++in) {
    for (std::size_t out = 0; out < bytes; ++out) {
      for (std::size_t i = 0; i < map_bytes; ++i) {
        call((in * bytes + out) * map_bytes + i, place_of(form, bytes, in, out, i));
      }
    }
  }
}

std::size_t map_bytes_of(const WordForm& form, const Field& field) {
  return numbers_of(form, field) * (is_table(form) ? 1 : kBitMapBytes);
}

std::vector<std::uint64_t> numbers(const WordForm& form, const Field& field,
                                   Field::Symbol coefficient) {
  std::vector<std::uint8_t> maps(map_bytes_of(form, field));
  is_table(form) ? write_nibble_maps(field, coefficient, maps.data())
                 : write_bit_maps(field, coefficient, maps.data());
  std::vector<std::uint64_t> numbers(numbers_of(form, field));
  for_each_byte(form, field, [&](std::size_t byte, Place place) {
    numbers[place.number] |= std::uint64_t{maps[byte]} << (8 * place.byte);
  });
  return numbers;
}

/// A sentence if an array is not that of a coefficient.
std::optional<std::string> find_wrong_number(const WordForm& form, const Field& field,
                                             Field::Symbol coefficient,
                                             const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint8_t> maps(map_bytes_of(form, field));
  for_each_byte(form, field, [&](std::size_t byte, Place place) {
    maps[byte] = static_cast<std::uint8_t>(numbers[place.number] >> (8 * place.byte));
  });
  return is_table(form) ? find_wrong_nibbles(field, coefficient, maps.data())
                        : find_wrong_bits(field, coefficient, maps.data());
}

const char* type_of(const WordForm& form) { return is_table(form) ? "uint8_t" : "uint64_t"; }

}  // namespace

std::string constant_name(const WordForm& form, const Field& field, Field::Symbol coefficient) {
  return fmt::format("{}{:0{}x}", form.constant_prefix, coefficient, field.w() / 4);
}

std::string write_constants(const WordForm& form, const Field& field,
                            const std::set<Field::Symbol>& coefficients, const Language& language) {
  const std::size_t per_line = is_table(form) ? kNumbersPerLine : kMatricesPerLine;
  std::string text;
  for (const Field::Symbol coefficient : coefficients) {
    const std::vector<std::uint64_t> array = numbers(form, field, coefficient);
    text += fmt::format("{} {} {}[{}] {} = {{\n", language.constant, type_of(form),
                        constant_name(form, field, coefficient), array.size(), kAligned);
    for (std::size_t i = 0; i < array.size(); ++i) {
      text += i % per_line == 0 ? "    " : " ";
      text += fmt::format("0x{:0{}x}", array[i], is_table(form) ? 2 : 16);
      text += i + 1 == array.size() ? "};\n" : ",";
      if (i % per_line == per_line - 1 && i + 1 != array.size()) text += '\n';
    }
  }
  return text + (text.empty() ? "" : "\n");
}

LineConstants read_constants(const WordForm& form, const Field& field, std::string_view text) {
  LineConstants constants;
  SourceTokens tokens;
  tokens.read(text);
  while (!tokens.is_at_end()) {
    if (!tokens.take_word("constexpr")) tokens.expect("static const");
    tokens.expect(type_of(form));
    const std::string_view name = tokens.word();
    Field::Symbol coefficient = 0;
    const auto [end, error] =
        std::from_chars(name.data() + 1, name.data() + name.size(), coefficient, 16);
    if (name.front() != form.constant_prefix || error != std::errc{} ||
        end != name.data() + name.size()) {
      tokens.bad_here(fmt::format("'{}' names no coefficient", name));
    }
    tokens.expect("[");
    const std::size_t size = tokens.number();
    tokens.expect("]");
    tokens.expect(kAligned);
    tokens.expect("= {");
    std::vector<std::uint64_t> array;
    do array.push_back(tokens.number());
    while (tokens.take(","));
    tokens.expect("};");
    if (array.size() != size || size != numbers_of(form, field)) {
      tokens.bad(fmt::format("{} has {} numbers", name, array.size()));
    }
    if (const auto wrong = find_wrong_number(form, field, coefficient, array)) tokens.bad(*wrong);
    if (!constants.emplace(name, coefficient).second) {
      tokens.bad(fmt::format("{} is defined twice", name));
    }
  }
  return constants;
}

}  // namespace xorloom
