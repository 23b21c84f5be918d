#include "equations/build/direct.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "codes/text/error.hpp"
#include "codes/tolerance.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/operands.hpp"
#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

/// By row of a location: true if it is in `rows`; all true if `rows` is empty.
std::vector<bool> row_flags(std::size_t num_rows, std::span<const std::size_t> rows) {
  std::vector<bool> is_asked(num_rows, rows.empty());
  for (const std::size_t row : rows) {
    if (row >= num_rows) {
      fail(Status::kInvalidArgument, "row {} is not one of 0 to {}", row, num_rows - 1);
    }
    if (is_asked[row]) fail(Status::kInvalidArgument, "row {} is named twice", row);
    is_asked[row] = true;
  }
  return is_asked;
}

/// Adds to `program` the rows of `matrix` as equations, for the outputs whose row of a location is
/// asked for (empty: all). The other outputs are dropped, and with `drops_unread` the inputs that
/// no equation reads.
template <typename AnyMatrix>
Program rows_of(Program program, const AnyMatrix& matrix, const std::vector<bool>& is_asked,
                bool drops_unread) {
  const std::vector<Element> outputs = std::exchange(program.outputs, {});
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (!is_asked.empty() && !is_asked[outputs[o] % program.rows]) continue;
    program.outputs.push_back(outputs[o]);
    program.equations.push_back({outputs[o], operands_of(matrix, o, program.inputs)});
  }
  if (!drops_unread) return program;
  const std::vector<std::size_t> reader = last_reader_of_element(program);
  std::erase_if(program.inputs, [&](Element input) { return reader[input] == kNone; });
  return program;
}

/// What a map is for, before the name of its code: nothing if it encodes.
std::string task_of(const Code& code, const LinearMap& map) {
  const bool computes = map.outputs == code.redundant;
  if (computes && map.inputs == code.data) return "";
  const std::vector<std::size_t> chunks = locations_of(code, computes ? map.inputs : map.outputs);
  return fmt::format("{} {} {} of ", computes ? "updating" : "rebuilding",
                     chunks.size() == 1 ? "chunk" : "chunks", fmt::join(chunks, ", "));
}

void check_direct_xors(const Code& code, const LinearMap& map, std::size_t xors) {
  if (xors <= kMaxDirectXors) return;
  fail(Status::kUnsupported,
       "{}{} takes {} direct XORs, more than the {} that are written as equations; equations over "
       "symbols have no such bound",
       task_of(code, map), code.name(), xors, kMaxDirectXors);
}

using Locations = std::vector<std::size_t>;

/// Most field operations of best_survivors.
constexpr std::size_t kMaxWork = std::size_t{1} << 27;

/// The search of best_survivors.
class SurvivorSearch {
 public:
  SurvivorSearch(const Code& code, std::span<const std::size_t> lost,
                 std::span<const std::size_t> wanted, std::span<const std::size_t> rows,
                 std::size_t most)
      : code_(code),
        lost_(lost),
        wanted_(wanted.empty() ? lost : wanted),
        rows_(rows),
        most_(most),
        candidates_(redundant_survivors(code, lost)) {
    LinearMap first = decoding_map(code, lost, wanted);
    const std::size_t xors = direct_xors(code, first, rows);
    best_.push_back({xors, std::move(first)});
    for (const std::size_t location : candidates_) {
      const bool used = std::ranges::any_of(best_.front().map.inputs, [&](Cell cell) {
        return code.location_of_cell(cell) == location && code.role(cell) == Role::kRedundant;
      });
      if (used) used_.push_back(location);
    }
  }

  std::vector<LinearMap> run() {
    if (!used_.empty() && candidates_.size() > 1) {
      left_ = std::min(kMaxSurvivorChoices, kMaxWork / work_of_a_choice());
      if (num_choices() <= left_) {
        try_all();
      } else {
        exchange();
      }
    }
    std::vector<LinearMap> maps;
    for (Choice& choice : best_) maps.push_back(std::move(choice.map));
    return maps;
  }

 private:
  struct Choice {
    std::size_t xors;
    LinearMap map;
  };

  /// Field operations to find the map of a choice and count its XORs, at least 1.
  std::size_t work_of_a_choice() const {
    const std::vector<bool> lost = location_flags(code_, lost_, "lost");
    const auto unknown = static_cast<std::size_t>(std::ranges::count_if(
        code_.data, [&](Cell cell) { return lost[code_.location_of_cell(cell)]; }));
    const std::size_t outputs = best_.front().map.outputs.size();
    const std::size_t inputs = code_.data.size() + unknown;
    return (unknown + outputs) * unknown * inputs + outputs * inputs * code_.field.w() + 1;
  }

  /// Number of sets of 1 … used_.size() candidates; counting ends above left_.
  std::size_t num_choices() const {
    std::size_t sum = 0;
    std::size_t sets = 1;
    for (std::size_t size = 1; size <= used_.size() && sum <= left_; ++size) {
      sets = sets * (candidates_.size() - size + 1) / size;
      sum += sets;
    }
    return sum;
  }

  void try_all() {
    for (std::size_t size = 1; size <= used_.size(); ++size) {
      Locations index = first_combination(size);
      do {
        Locations choice;
        for (const std::size_t i : index) choice.push_back(candidates_[i]);
        consider(choice);
      } while (next_combination(index, candidates_.size()));
    }
  }

  void exchange() {
    Locations choice = used_;
    for (bool better = true; better;) {
      better = false;
      for (std::size_t i = 0; i < choice.size(); ++i) {
        for (const std::size_t candidate : candidates_) {
          if (std::ranges::find(choice, candidate) != choice.end()) continue;
          if (left_ == 0) return;
          --left_;
          Locations exchanged = choice;
          exchanged[i] = candidate;
          std::ranges::sort(exchanged);
          if (!consider(exchanged)) continue;
          choice = std::move(exchanged);
          better = true;
        }
      }
    }
  }

  /// Keeps the map of `choice` if it is one of the best. True if it has fewer XORs than all before.
  bool consider(const Locations& choice) {
    std::optional<LinearMap> map = recovery_map(code_, lost_, wanted_, choice);
    if (!map) return false;
    const std::size_t xors = direct_xors(code_, *map, rows_);
    const auto place = std::ranges::upper_bound(best_, xors, {}, &Choice::xors);
    const bool is_known = std::any_of(
        best_.begin(), place, [&](const Choice& known) { return known.map.inputs == map->inputs; });
    if (is_known) return false;
    const bool is_best = place == best_.begin();
    best_.insert(place, {xors, *std::move(map)});
    if (best_.size() > most_) best_.pop_back();
    return is_best;
  }

  const Code& code_;
  std::span<const std::size_t> lost_;
  std::span<const std::size_t> wanted_;
  std::span<const std::size_t> rows_;
  std::size_t most_;
  std::vector<Choice> best_;  // fewest XORs first
  Locations candidates_;
  Locations used_;
  std::size_t left_ = 0;  // choices that may still be tried
};

}  // namespace

std::size_t direct_xors(const Code& code, const LinearMap& map, std::span<const std::size_t> rows) {
  // By sub-chunk of a location: mask of the bits of its symbol in the rows asked for.
  const std::vector<bool> is_asked = row_flags(code.rows(), rows);
  std::vector<Field::Symbol> bits(code.subchunks);
  for (std::size_t row = 0; row < is_asked.size(); ++row) {
    if (is_asked[row]) bits[row / code.field.w()] |= Field::Symbol{1} << row % code.field.w();
  }
  std::size_t operands = 0;
  std::size_t outputs = 0;
  for (std::size_t r = 0; r < map.outputs.size(); ++r) {
    const Field::Symbol asked = bits[map.outputs[r] % code.subchunks];
    if (asked == 0) continue;
    const std::size_t before = operands;
    for (const Field::Symbol symbol : map.coefficients.row(r)) {
      if (symbol != 0) operands += weight(code.field, symbol, asked);
    }
    // A symbol that is not 0 has an operand in each of its bits.
    if (operands != before) outputs += static_cast<std::size_t>(std::popcount(asked));
  }
  return operands - outputs;
}

Program direct_program(const Code& code, const LinearMap& map, std::span<const std::size_t> rows) {
  check_direct_xors(code, map, direct_xors(code, map, rows));
  const Program layout{code.locations,
                       code.rows(),
                       elements_of(code, map.inputs),
                       elements_of(code, map.outputs),
                       {}};
  return rows_of(layout, expand(code.field, map.coefficients), row_flags(code.rows(), rows), true);
}

Program direct_program(const BitMatrix& matrix) {
  const std::size_t weight = matrix.weight();
  if (weight > kMaxDirectXors + matrix.rows()) {
    fail(Status::kUnsupported,
         "a matrix of {} ones takes more direct XORs than the {} that are written as equations",
         weight, kMaxDirectXors);
  }
  return rows_of(layout_of_matrix(matrix.rows(), matrix.columns()), matrix, {}, false);
}

Program written_out(const Program& program) {
  return with_matrix_of(program, [&](const auto& matrix) {
    return rows_of(without_equations(program), matrix, {}, false);
  });
}

Program direct_encoding(const Code& code, std::span<const std::size_t> rows, Over over) {
  const LinearMap map = encoding_map(code);
  if (over == Over::kSymbols) return direct_symbols(code, map, rows);
  Program program = direct_program(code, map, rows);
  if (rows.empty()) program.inputs = elements_of(code, code.data);
  return program;
}

Program direct_decoding(const Code& code, std::span<const std::size_t> lost,
                        std::span<const std::size_t> wanted, std::span<const std::size_t> rows,
                        Over over) {
  if (over == Over::kSymbols) return direct_symbols(code, decoding_map(code, lost, wanted), rows);
  return direct_program(code, best_survivors(code, lost, wanted, rows, 1).front(), rows);
}

Program direct_update(const Code& code, std::span<const std::size_t> updated,
                      std::span<const std::size_t> rows, Over over) {
  const std::vector<bool> is_updated = location_flags(code, updated, "updated");
  std::vector<bool> has_data(code.locations);
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < code.data.size(); ++column) {
    const std::size_t location = code.location_of_cell(code.data[column]);
    has_data[location] = true;
    if (is_updated[location]) columns.push_back(column);
  }
  for (const std::size_t location : updated) {
    if (has_data[location]) continue;
    fail(Status::kInvalidArgument, "updated location {} holds no data that could change", location);
  }

  // The contribution of the updated data to each redundant element. The equations are linear, so
  // they hold for differences as well.
  LinearMap map{{}, code.redundant, Matrix(code.redundant.size(), columns.size())};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    map.inputs.push_back(code.data[columns[c]]);
    for (std::size_t r = 0; r < code.redundant.size(); ++r) {
      map.coefficients(r, c) = code.parity(r, columns[c]);
    }
  }
  Program program =
      over == Over::kSymbols ? direct_symbols(code, map, rows) : direct_program(code, map, rows);
  std::erase_if(program.equations, [](const Equation& e) { return e.operands.empty(); });
  std::vector<Element> differences = std::exchange(program.inputs, {});
  std::ranges::sort(differences);
  program.outputs.clear();

  using Kind = VirtualElement::Kind;
  const auto add = [&](Kind kind, Element element) {
    program.virtuals.push_back({kind, element});
    (kind == Kind::kUpdated ? program.outputs : program.inputs)
        .push_back(program.first_temporary() - 1);
  };
  for (const Element element : differences) add(Kind::kDifference, element);
  for (const Equation& equation : program.equations) add(Kind::kOld, equation.target);
  for (const Equation& equation : program.equations) add(Kind::kUpdated, equation.target);
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    Equation& equation = program.equations[i];
    for (Operand& operand : equation.operands) {
      const auto place = std::ranges::lower_bound(differences, operand.element);
      operand.element = program.inputs[static_cast<std::size_t>(place - differences.begin())];
    }
    equation.operands.push_back(program.inputs[differences.size() + i]);
    equation.target = program.outputs[i];
  }
  if (over == Over::kBits) check_direct_xors(code, map, xors(program));
  return program;
}

Program program_over_symbols(const Code& code, const LinearMap& map) {
  return {code.locations, code.subchunks, map.inputs, map.outputs, {}, {}, code.field};
}

Program direct_symbols(const Code& code, const LinearMap& map, std::span<const std::size_t> rows) {
  return rows_of(program_over_symbols(code, map), map.coefficients, row_flags(code.subchunks, rows),
                 !rows.empty());
}

LinearMap decoding_map(const Code& code, std::span<const std::size_t> lost,
                       std::span<const std::size_t> wanted) {
  if (wanted.empty()) wanted = lost;
  std::optional<LinearMap> map = recovery_map(code, lost, wanted);
  if (!map) {
    fail(Status::kDamaged, cannot_rebuild_text(code, lost));
  }
  return *std::move(map);
}

std::vector<LinearMap> best_survivors(const Code& code, std::span<const std::size_t> lost,
                                      std::span<const std::size_t> wanted,
                                      std::span<const std::size_t> rows, std::size_t most) {
  return SurvivorSearch(code, lost, wanted, rows, most).run();
}

}  // namespace xorloom
