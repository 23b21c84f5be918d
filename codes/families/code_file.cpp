#include "codes/families/code_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "codes/cell_sums.hpp"
#include "codes/families/families.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "codes/text/text_file.hpp"
#include "codes/tolerance.hpp"

namespace xorloom {
namespace {

using namespace json_reading;

/// Keys of the forms in which a file may give the redundancy.
constexpr std::string_view kEquations = "equations";
constexpr std::string_view kBits = "bits";
constexpr std::string_view kMatrix = "matrix";

constexpr std::array kKeys = {"format", "version", "note",        "locations",   "rows",
                              "w",      "poly",    "data",        "equations",   "bits",
                              "matrix", "promise", "arrangement", "packet_bytes"};

std::size_t number_between(const Json& json, const char* key, std::size_t lowest,
                           std::size_t highest, std::optional<std::size_t> otherwise = {}) {
  if (otherwise && !json.contains(key)) return *otherwise;
  const std::size_t value =
      number(member(json, key), key, std::numeric_limits<std::uint64_t>::max());
  if (value < lowest || value > highest) {
    fail(Status::kInvalidArgument, "{} = {} is not one of {} to {}", key, value, lowest, highest);
  }
  return value;
}

Field read_field(const Json& json) {
  const std::size_t w = number_between(json, "w", 1, 32, 1);
  if (!json.contains("poly")) return Field(w);
  return {w, hexadecimal(member(json, "poly"), "poly")};
}

struct Cells {
  std::vector<Cell> data;
  std::vector<Cell> redundant;  ///< all other cells, ascending
};

Cells read_cells(const Json& json, std::size_t count) {
  Cells cells;
  std::vector<bool> is_data(count);
  for (const Cell cell : numbers(member(json, "data"), "data")) {
    if (cell >= count) {
      fail(Status::kInvalidArgument, "data cell {} is not one of 0 to {}", cell, count - 1);
    }
    if (is_data[cell]) {
      fail(Status::kInvalidArgument, "data cell {} is named twice", cell);
    }
    is_data[cell] = true;
    cells.data.push_back(cell);
  }
  for (Cell cell = 0; cell < count; ++cell) {
    if (!is_data[cell]) cells.redundant.push_back(cell);
  }
  if (cells.data.empty()) fail(Status::kInvalidArgument, "no cell holds data");
  if (cells.redundant.empty())
    fail(Status::kInvalidArgument, "all cells hold data, none redundancy");
  return cells;
}

/// By redundant cell: the cells that it is the sum of; these may be redundant, too.
using Operands = std::map<Cell, std::vector<Cell>>;

void check_cell(Cell cell, std::size_t count) {
  if (cell < count) return;
  fail(Status::kInvalidArgument, "cell {} is not one of 0 to {}", cell, count - 1);
}

Operands read_equations(const Json& json, const Cells& cells, std::size_t count) {
  Operands equations;
  for (const Json& item : array(member(json, "equations"), "equations")) {
    const auto target = static_cast<Cell>(number(member(item, "target"), "target"));
    check_cell(target, count);
    if (!std::ranges::binary_search(cells.redundant, target)) {
      fail(Status::kInvalidArgument, "cell {} holds data, and an equation computes it", target);
    }
    const auto [equation, is_new] =
        equations.try_emplace(target, numbers(member(item, "xor"), "xor"));
    if (!is_new) {
      fail(Status::kInvalidArgument, "two equations compute cell {}", target);
    }
    for (const Cell operand : equation->second) check_cell(operand, count);
  }
  for (const Cell cell : cells.redundant) {
    if (equations.contains(cell)) continue;
    fail(Status::kInvalidArgument, "cell {} holds no data, and no equation computes it", cell);
  }
  return equations;
}

/// Adds the equations, each after those that it reads.
void add_equations(const Operands& equations, CellSums& sums) {
  std::map<Cell, std::size_t> waits_for;
  std::map<Cell, std::vector<Cell>> readers;
  std::vector<Cell> ready;
  for (const auto& [cell, operands] : equations) {
    for (const Cell operand : operands) {
      if (!equations.contains(operand)) continue;
      ++waits_for[cell];
      readers[operand].push_back(cell);
    }
    if (!waits_for.contains(cell)) ready.push_back(cell);
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    sums.add(ready[i], std::span(equations.at(ready[i])));
    for (const Cell reader : readers[ready[i]]) {
      if (--waits_for[reader] != 0) continue;
      waits_for.erase(reader);
      ready.push_back(reader);
    }
  }
  if (waits_for.empty()) return;
  fail(Status::kInvalidArgument, "cell {} is computed from itself, by way of others",
       waits_for.begin()->first);
}

using Row = std::vector<Field::Symbol>;

Row row_of_bits(const Json& value, const Field& field) {
  if (field.w() != 1) {
    fail(Status::kInvalidArgument, "bits need w = 1, but w = {}: give the symbols as a matrix",
         field.w());
  }
  Row row;
  for (const char c : text(value, "a row of bits")) {
    if (c != '0' && c != '1') bad("a row of bits holds '{}', not 0 or 1", excerpt({&c, 1}));
    row.push_back(c == '1' ? 1 : 0);
  }
  return row;
}

Row row_of_symbols(const Json& value, const Field& field) {
  Row row = numbers(value, "a row of the matrix", std::numeric_limits<Field::Symbol>::max());
  for (const Field::Symbol symbol : row) {
    if (symbol < field.size()) continue;
    fail(Status::kInvalidArgument, "the matrix holds {}, which is not below 2^w = {}", symbol,
         field.size());
  }
  return row;
}

void add_rows(const Json& rows, std::string_view form, const Field& field, const Cells& cells,
              CellSums& sums) {
  if (array(rows, form).size() != cells.redundant.size()) {
    fail(Status::kInvalidArgument, "{} has {}, not one for each of {}", form,
         counted(rows.size(), "row"), counted(cells.redundant.size(), "redundant cell"));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Row row = form == kBits ? row_of_bits(rows[r], field) : row_of_symbols(rows[r], field);
    if (row.size() != cells.data.size()) {
      fail(Status::kInvalidArgument, "row {} of {} has {}, not one for each of {}", r, form,
           counted(row.size(), "column"), counted(cells.data.size(), "data cell"));
    }
    std::vector<CellSum::Term> terms;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (row[c] != 0) terms.push_back({cells.data[c], row[c]});
    }
    sums.add(cells.redundant[r], std::move(terms));
  }
}

std::string_view form_of(const Json& json) {
  std::string_view form;
  for (const std::string_view candidate : {kEquations, kBits, kMatrix}) {
    if (!json.contains(candidate)) continue;
    if (!form.empty()) {
      fail(Status::kInvalidArgument, "both {} and {} say what is redundant: give one of them", form,
           candidate);
    }
    form = candidate;
  }
  if (form.empty()) {
    fail(Status::kInvalidArgument, "none of {}, {} and {} says what is redundant: give one of them",
         kEquations, kBits, kMatrix);
  }
  return form;
}

void check_keys(const Json& json) {
  for (const auto& [key, value] : json.items()) {
    if (std::ranges::find(kKeys, std::string_view(key)) == kKeys.end()) {
      bad("a code file does not know the key '{}'", excerpt(key));
    }
  }
}

/// Number of ones in the bitmatrix of a code, which may be too large to be made. Counting ends
/// above kMaxDirectXors.
std::size_t weight_of(const Code& code) {
  std::map<Field::Symbol, std::size_t> weights;
  std::size_t ones = 0;
  for (std::size_t row = 0; row < code.parity.rows(); ++row) {
    for (const Field::Symbol symbol : code.parity.row(row)) {
      if (symbol == 0) continue;
      const auto [known, is_new] = weights.try_emplace(symbol);
      if (is_new) known->second = weight(code.field, symbol);
      ones += known->second;
      if (ones > kMaxDirectXors) return ones;
    }
  }
  return ones;
}

/// Reads the arrangement and checks its bounds.
void read_arrangement(const Json& json, std::size_t packet_bytes, const SpecLimits& limits,
                      Code& code) {
  const std::size_t w = code.field.w();
  std::string arrangement = w == 1 ? "packet" : "word";
  if (json.contains("arrangement")) arrangement = text(member(json, "arrangement"), "arrangement");
  if (arrangement == "packet") {
    const std::size_t usual = packet_bytes != 0 ? packet_bytes : kDefaultPacketBytes;
    code.arrangement = Arrangement::kPacket;
    code.packet_bytes = number_between(json, "packet_bytes", 8, kMaxPacketBytes, usual);
    check_packet_bytes(code.packet_bytes);
    if (packet_bytes != 0 && packet_bytes != code.packet_bytes) {
      fail(Status::kInvalidArgument,
           "packet_bytes = {} contradicts packet_bytes = {} in the code file", packet_bytes,
           code.packet_bytes);
    }
    check_operations(limits, std::uint64_t{w} * w * code.data.size() * code.redundant.size());
    const std::size_t xors = weight_of(code);
    if (xors > kMaxDirectXors) {
      fail(Status::kUnsupported,
           "on packets this takes {} direct XORs or more, and at most {} are written as equations",
           xors, kMaxDirectXors);
    }
    return;
  }
  if (arrangement != "word") bad("arrangement '{}' is not word or packet", excerpt(arrangement));
  if (json.contains("packet_bytes") || packet_bytes != 0) {
    fail(Status::kInvalidArgument, "packet_bytes needs the arrangement packet");
  }
  check_word_bits(w);
  code.arrangement = Arrangement::kWord;
}

std::string canonical(const Json& json, std::string_view form, const Code& code) {
  Json result{{"format", "xorloom-code"},
              {"version", 1},
              {"locations", code.locations},
              {"rows", code.subchunks},
              {"w", code.field.w()}};
  if (code.field.w() > 1) result["poly"] = fmt::format("{:#x}", code.field.polynomial());
  if (code.arrangement == Arrangement::kPacket) {
    result["arrangement"] = "packet";
    result["packet_bytes"] = code.packet_bytes;
  } else {
    result["arrangement"] = "word";
  }
  result["promise"] = code.promised_losses;
  result["data"] = code.data;
  result[form] = json[form];
  return "file:" + result.dump(-1, Json::Strings::kAscii);
}

}  // namespace

Code read_code(std::string_view source, std::size_t packet_bytes, const SpecLimits& limits) {
  const Json json = parse(source, "xorloom-code", 1);
  check_keys(json);
  const std::string_view form = form_of(json);
  const std::size_t locations = number_between(json, "locations", 2, kMaxLocations);
  const std::size_t rows = number_between(json, "rows", 1, kMaxSymbols / locations, 1);
  const Field field = read_field(json);
  const Cells cells = read_cells(json, locations * rows);
  CellSums sums(field, locations, rows, cells.data, limits);
  if (form == kEquations) {
    add_equations(read_equations(json, cells, locations * rows), sums);
  } else {
    add_rows(json[form], form, field, cells, sums);
  }
  const std::size_t k = (cells.data.size() + rows - 1) / rows;
  Code code = sums.code("file", k, locations - k, field.w());
  read_arrangement(json, packet_bytes, limits, code);
  code.promised_losses = 0;
  if (json.contains("promise")) {
    code.promised_losses = number_between(json, "promise", 0, locations);
  } else if (limits.finds_promises) {
    code.promised_losses = losses_survived(code);
  }
  code.spec = canonical(json, form, code);
  return code;
}

namespace {

Code build_file(Spec& spec) {
  const std::size_t packet_bytes =
      spec.find("packet_bytes") ? spec.number("packet_bytes", 8, kMaxPacketBytes) : 0;
  const std::string text(spec.text());
  if (text.empty()) fail(Status::kParse, "file: needs the path of a code file");
  if (text.front() == '{') return read_code(text, packet_bytes, spec.limits());
  if (!spec.limits().opens_files) {
    fail(Status::kInvalidArgument,
         "the code is {}, the path of a file: within a file a code is that of a family or the JSON "
         "of a code, and no path is opened",
         excerpt("file:" + text));
  }
  const std::string json = read_text_file(text, kMaxCodeFileBytes);
  try {
    Code code = read_code(json, packet_bytes, spec.limits());
    code.file = printable(text);
    return code;
  } catch (const Error& error) {
    fail(error.kind(), "{}: {}", text, error.what());
  }
}

}  // namespace

extern constexpr Family kFile = {
    .name = "file",
    .keys = "file:PATH, or file:{...} with the JSON itself",
    .constraint = "up to 65536 locations and 16 MiB",
    .summary =
        "a code of your own: equations, a 0/1 matrix or a matrix over a field, in any layout",
    .source = "docs/families/file.md",
    .example = "file:my-code.json",
    .build = build_file,
};

}  // namespace xorloom
