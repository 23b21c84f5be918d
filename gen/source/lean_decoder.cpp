#include "gen/source/lean_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

#include "codes/text/error.hpp"
#include "gen/source/emit.hpp"
#include "gen/source/lean_decoder_text.hpp"
#include "gen/text/code_comment.hpp"
#include "gen/text/source_tokens.hpp"
#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kMostCells = 65535;

std::size_t rounded_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

std::size_t symbol_bytes(const Code& code) {
  const std::size_t w = code.field.w();
  return w <= 8 ? 1 : w <= 16 ? 2 : 4;
}

bool is_packed(const Code& code) { return code.field.w() == 1; }

/// Most lost data cells that redundancy can bring back.
std::size_t most_unknowns(const Code& code) {
  return std::max<std::size_t>(1, std::min(code.data.size(), code.redundant.size()));
}

/// Bytes of a row of symbols: of bits, eight in a byte.
std::size_t row_bytes(const Code& code, std::size_t symbols) {
  return is_packed(code) ? rounded_up(symbols, 8) / 8 : symbols * symbol_bytes(code);
}

/// All factors, row by row, as numbers of the array that holds them.
std::vector<std::uint64_t> factor_numbers(const Code& code) {
  const std::size_t columns = code.parity.columns();
  const std::size_t count = code.parity.rows() * columns;
  std::vector<std::uint64_t> numbers(is_packed(code) ? rounded_up(count, 8) / 8 : count);
  for (std::size_t i = 0; i < count; ++i) {
    const Field::Symbol factor = code.parity(i / columns, i % columns);
    is_packed(code) ? numbers[i / 8] |= std::uint64_t{factor} << (i % 8)
                    : numbers[i] = std::uint64_t{factor};
  }
  return numbers;
}

template <typename Numbers>
std::vector<std::uint64_t> widened(const Numbers& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// A constant array of a decoder: its declaration, its numbers, and the hexadecimal digits of each
/// (0: decimal).
struct Table {
  const char* head;
  std::vector<std::uint64_t> numbers;
  std::size_t digits;
};

std::vector<Table> tables_of(const Code& code) {
  const std::size_t digits = 2 * symbol_bytes(code);
  std::vector<Table> tables = {
      {"static const uint16_t data_cell[DATA]", widened(code.data), 0},
      {"static const uint16_t redundant_cell[REDUNDANT]", widened(code.redundant), 0},
      {is_packed(code) ? "static const symbol factors[(REDUNDANT * DATA + 7) / 8]"
                       : "static const symbol factors[REDUNDANT * DATA]",
       factor_numbers(code), digits}};
  if (!code.field.basis().empty()) {
    tables.push_back({"static const symbol basis[BITS]", widened(code.field.basis()), digits});
    tables.push_back(
        {"static const symbol powers_of_x[BITS]", widened(code.field.powers_of_x()), digits});
  }
  return tables;
}

std::string written(const Table& table) {
  std::vector<std::string> items;
  items.reserve(table.numbers.size());
  for (const std::uint64_t number : table.numbers) {
    items.push_back(table.digits == 0 ? fmt::format("{}", number)
                                      : fmt::format("0x{:0{}x}", number, table.digits));
  }
  const std::size_t per_line = table.digits == 0 ? 10 : table.digits <= 4 ? 8 : 5;
  return fmt::format("{} = {{\n{}}};\n", table.head, array_lines(items, per_line));
}

/// Reads a table back. Errors: throws kInternal unless its numbers are those of the code.
void check_written(const std::string& text, const Table& table) {
  SourceTokens tokens;
  const std::size_t begin = text.find(table.head);
  tokens.read(begin == std::string::npos ? std::string_view{}
                                         : std::string_view(text).substr(begin));
  tokens.expect(table.head);
  tokens.expect("= {");
  for (std::size_t i = 0; i < table.numbers.size(); ++i) {
    if (i != 0) tokens.expect(",");
    if (tokens.number() != table.numbers[i]) tokens.bad_here("another number of a table");
  }
  tokens.expect("};");
}

/// Refuses codes for which no decoder is written.
void check_fits(const Code& code) {
  const auto refuse = [&](const std::string& what, std::size_t has, std::size_t most) {
    if (has <= most) return;
    fail(Status::kUnsupported,
         "a lean decoder of {} takes {} {}, more than {}; functions for losses that are known "
         "before take none of them",
         code.name(), has, what, most);
  };
  if (code.arrangement == Arrangement::kWord && code.plane_bytes != 0) {
    fail(Status::kUnsupported,
         "{} lays the bytes of its symbols out in planes of {}, for which no source is written; "
         "arrangement=packet has source",
         code.name(), code.plane_bytes);
  }
  refuse("cells", code.num_cells(), kMostCells);
  const DecoderMemory memory = decoder_memory(code);
  refuse("bytes of state", memory.state, kMostDecoderState);
  refuse("bytes of tables", memory.tables, kMostDecoderTables);
}

/// Head comment of the file.
std::string comment_of(const Code& code, const std::string& prefix) {
  const DecoderMemory memory = decoder_memory(code);
  CommentWriter comment;
  describe_code(comment, code,
                "a decoder in C99 that allocates nothing and calls no library. It makes the "
                "decoding equations of any loss by itself.");
  comment.paragraph(fmt::format(
      "It takes {} bytes of static memory that it writes and {} bytes of tables that it reads{}. "
      "It "
      "needs stddef.h and stdint.h, which every compiler brings.",
      memory.state, memory.tables,
      memory.stack == 0 ? ""
                        : fmt::format(", and {} bytes of the stack for an array", memory.stack)));
  comment.paragraph(
      "The function invert takes the numbers of all lost chunks. It returns 0, or 1 if a number is "
      "not that of a chunk or is given twice, or 2 if the chunks that are left do not determine "
      "the lost data.");
  comment.paragraph("The function recover then computes all lost chunks, as often as you call it:");
  comment.parameter("chunks", fmt::format("{} pointers, one per chunk, in order. No alignment is "
                                          "needed. Lost chunks point to room for the result",
                                          code.locations));
  const std::size_t multiple = chunk_multiple(code);
  comment.parameter("chunk_bytes",
                    multiple == 1 ? "any number" : fmt::format("any multiple of {}", multiple));
  comment.blank();
  comment.paragraph(
      fmt::format("It returns 0,{} or 2 if invert has not returned 0. Then it touches nothing. The "
                  "state is one "
                  "for the program: call from one thread.",
                  multiple == 1 ? "" : " or 1 if chunk_bytes is no such multiple,"));
  comment.line(fmt::format("uint8_t *chunks[{}];  // chunk_bytes bytes each", code.locations));
  comment.line(fmt::format("if ({0}_invert(lost, num_lost) != 0) ...", prefix));
  comment.line(fmt::format("if ({0}_recover(chunks, chunk_bytes) != 0) ...", prefix));
  comment.blank();
  comment.end(
      "For u lost data cells the elimination takes about u^3 products of symbols and a matrix of "
      "u x u symbols. Each byte is computed by itself, so that any processor runs it.");
  return std::move(comment).text();
}

/// Heads of both functions, followed by `tail`.
std::string invert_head(const std::string& prefix, const std::string& tail) {
  return wrap(fmt::format("int {}_invert(", prefix),
              {"const uint16_t lost[],", "size_t num_lost)" + tail}, "    ");
}
std::string recover_head(const std::string& prefix, const std::string& tail) {
  return wrap(fmt::format("int {}_recover(", prefix),
              {"uint8_t *const chunks[],", "size_t chunk_bytes)" + tail}, "    ");
}

std::string declarations(const std::string& prefix) {
  return "// Prepares the decoding of these lost chunks.\n" + invert_head(prefix, ";") +
         "\n\n// Computes the lost chunks from the others.\n" + recover_head(prefix, ";") + "\n\n";
}

/// A line of an enum: "  DATA = 4,        // what it is".
std::string constant_line(const char* name, std::size_t value, const char* about) {
  return fmt::format("  {:<18}  // {}\n", fmt::format("{} = {},", name, value), about);
}

std::string constants(const Code& code) {
  std::string text = "enum {\n";
  text += constant_line("CHUNKS", code.locations, "of a stripe");
  text += constant_line("CELLS", code.subchunks, "of a chunk");
  text += constant_line("DATA", code.data.size(), "cells that hold data");
  text += constant_line("REDUNDANT", code.redundant.size(), "cells that hold redundancy");
  text += constant_line("UNKNOWNS", most_unknowns(code), "the most lost cells of data");
  text += constant_line("BITS", code.field.w(), "of a symbol");
  text += constant_line("MULTIPLE", chunk_multiple(code), "of which chunk_bytes is one");
  if (code.arrangement == Arrangement::kPacket) {
    text += constant_line("PACKET", code.packet_bytes, "bytes");
  }
  return text + fmt::format("}};\n\ntypedef uint{}_t symbol;\n\n", 8 * symbol_bytes(code));
}

/// The product of two symbols, by shift and add; in another basis, of the polynomials behind them.
std::string multiplication(const Code& code) {
  if (is_packed(code)) return lean_text::kMultiplyBits;
  const bool has_basis = !code.field.basis().empty();
  const auto polynomial = static_cast<std::uint32_t>(code.field.polynomial());
  return fmt::format("static const uint32_t polynomial = {:#x};\n\n", polynomial) +
         (has_basis ? lean_text::kMultiplyInBasis : lean_text::kMultiply) + lean_text::kInverse;
}

/// Functions that add a multiple of a cell to another cell.
std::string addition(const Code& code) {
  if (code.arrangement == Arrangement::kPacket) return lean_text::kAddPackets;
  return std::string(lean_text::kProductsOfHalves) +
         (code.field.w() == 4 ? lean_text::kAddHalfBytes : lean_text::kAddWords);
}

}  // namespace

DecoderMemory decoder_memory(const Code& code) {
  const std::size_t most = most_unknowns(code);
  const std::size_t numbers = 3 * most + 1;  // unknown, taken, pivot, num_unknown
  const std::size_t flags = 1 + rounded_up(code.locations, 8) / 8;
  const std::size_t matrix = rounded_up(most * row_bytes(code, most), 2);
  DecoderMemory memory{};
  memory.state =
      rounded_up(matrix + 2 * numbers + flags, std::max<std::size_t>(2, symbol_bytes(code)));
  memory.tables = 2 * (code.data.size() + code.redundant.size()) +
                  row_bytes(code, code.redundant.size() * code.data.size()) +
                  (code.field.basis().empty() ? 0 : 2 * code.field.w() * symbol_bytes(code));
  if (code.arrangement == Arrangement::kWord) {
    memory.stack = code.field.w() / 4 * 16 * symbol_bytes(code);
  }
  return memory;
}

std::string emit_lean_decoder(const Code& code, const std::optional<std::string>& name) {
  if (name) check_name(*name);
  check_fits(code);
  const std::string prefix = file_prefix(code, name);
  std::string text = comment_of(code, prefix) + "#include <stddef.h>\n#include <stdint.h>\n\n" +
                     declarations(prefix) + constants(code) + lean_text::kTables;
  const std::vector<Table> tables = tables_of(code);
  for (const Table& table : tables) text += written(table) + "\n";
  text += multiplication(code);
  text += is_packed(code) ? lean_text::kStateOfBits : lean_text::kStateOfSymbols;
  text += lean_text::kElimination;
  text += invert_head(prefix, " {") + "\n";
  text += lean_text::kInvert;
  text += addition(code);
  text += recover_head(prefix, " {") + "\n";
  text += lean_text::kRecover;
  for (const Table& table : tables) check_written(text, table);
  return text;
}

std::string emit_lean_decoder_header(const Code& code, const std::optional<std::string>& name) {
  if (name) check_name(*name);
  check_fits(code);
  const std::string prefix = file_prefix(code, name);
  std::string guard = prefix + "_h";
  std::ranges::transform(guard, guard.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return wrap_text("// ",
                   fmt::format("Erasure coding {}, generated by xorloom emit: a decoder that the "
                               "source beside this file defines and describes.",
                               how_it_codes(code)),
                   "// ") +
         fmt::format(
             "\n\n#ifndef {0}\n#define {0}\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
             "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n"
             "// The number of chunks per stripe, and the multiple that chunk_bytes is.\n"
             "enum {{\n  {1}_num_chunks = {2},\n  {1}_chunk_multiple = {3}\n}};\n\n{4}"
             "#ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
             guard, prefix, code.locations, chunk_multiple(code), declarations(prefix));
}

}  // namespace xorloom
