#include "gen/source/word_forms.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codes/field/byte_maps.hpp"
#include "gen/text/source_tokens.hpp"
#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kNumbersPerLine = 8;
constexpr std::size_t kMatricesPerLine = 3;
constexpr const char* kAligned = "__attribute__((aligned(32)))";

bool is_table(const WordForm& form) { return form.constants == WordForm::Constants::kTables; }

/// Bytes of each number of an array.
std::size_t number_bytes(const WordForm& form) { return is_table(form) ? 1 : kBitMapBytes; }

/// Positions of the bytes of a coefficient's maps in its array, whose numbers have their lowest
/// byte first.
std::vector<std::size_t> places_of_bytes(const WordForm& form, const Field& field) {
  const std::size_t bytes = unit_bytes(field);
  std::vector<std::size_t> places;
  for (std::size_t in = 0; in < bytes; ++in) {
    for (std::size_t out = 0; out < bytes; ++out) {
      const std::size_t turn = (in + bytes - out) % bytes;
      for (std::size_t i = 0; i < (is_table(form) ? kNibbleMapBytes : kBitMapBytes); ++i) {
        places.push_back(is_table(form) ? ((turn * 2 + i / 16) * bytes + out) * 16 + i % 16
                                        : (turn * bytes + out) * kBitMapBytes + i);
      }
    }
  }
  return places;
}

std::vector<std::uint64_t> numbers(const WordForm& form, const Field& field,
                                   Field::Symbol coefficient) {
  const std::vector<std::size_t> places = places_of_bytes(form, field);
  std::vector<std::uint8_t> maps(places.size());
  is_table(form) ? write_nibble_maps(field, coefficient, maps.data())
                 : write_bit_maps(field, coefficient, maps.data());
  const std::size_t bytes = number_bytes(form);
  std::vector<std::uint64_t> numbers(places.size() / bytes);
  for (std::size_t i = 0; i < places.size(); ++i) {
    numbers[places[i] / bytes] |= std::uint64_t{maps[i]} << (8 * (places[i] % bytes));
  }
  return numbers;
}

/// Returns a sentence if an array is not that of `coefficient`.
std::optional<std::string> find_wrong_number(const WordForm& form, const Field& field,
                                             Field::Symbol coefficient,
                                             const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint8_t> maps;
  const std::size_t bytes = number_bytes(form);
  for (const std::size_t place : places_of_bytes(form, field)) {
    maps.push_back(static_cast<std::uint8_t>(numbers[place / bytes] >> (8 * (place % bytes))));
  }
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
  std::string text;
  for (const Field::Symbol coefficient : coefficients) {
    std::vector<std::string> array;
    for (const std::uint64_t number : numbers(form, field, coefficient)) {
      array.push_back(fmt::format("0x{:0{}x}", number, 2 * number_bytes(form)));
    }
    text += fmt::format("{} {} {}[{}] {} = {{\n{}}};\n", language.constant, type_of(form),
                        constant_name(form, field, coefficient), array.size(), kAligned,
                        array_lines(array, is_table(form) ? kNumbersPerLine : kMatricesPerLine));
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
    if (array.size() != size || size * number_bytes(form) != places_of_bytes(form, field).size()) {
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
