#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/passes/drop_equations.hpp"
#include "equations/passes/gate_trees.hpp"
#include "gen/gpu/kernel_forms.hpp"
#include "gen/gpu/kernel_frame.hpp"
#include "gen/text/source_tokens.hpp"

namespace xorloom {
namespace {

/// Most words of registers for the values that one sum reads.
constexpr std::size_t kMostHeld = 48;
constexpr std::size_t kOtherHornerRegisters = 24;
constexpr std::size_t kTwiceInstructions = 3;  ///< without the XOR that it shares with a sum

/// Splits sums of many inputs into sums of some inputs and the sum of those before. Sums that read
/// the same inputs are together, so that each input is loaded once.
///
/// Shape: equations read inputs alone.
Program in_blocks(const Program& direct, std::size_t block) {
  std::set<Element> read;
  for (const Equation& equation : direct.equations) {
    read.insert(equation.operands.begin(), equation.operands.end());
  }
  const std::vector<Element> inputs(read.begin(), read.end());
  Program result = without_equations(direct);
  Element next = direct.first_temporary();
  std::vector<Element> before(direct.equations.size(), 0);
  std::vector<std::size_t> done(direct.equations.size(), 0);
  for (std::size_t first = 0; first < inputs.size(); first += block) {
    const Element last = inputs[std::min(inputs.size(), first + block) - 1];
    for (std::size_t i = 0; i < direct.equations.size(); ++i) {
      const std::vector<Operand>& all = direct.equations[i].operands;
      Equation part{0, {}};
      const bool goes_on = done[i] != 0;
      while (done[i] < all.size() && all[done[i]].element <= last) {
        part.operands.push_back(all[done[i]++]);
      }
      if (part.operands.empty()) continue;
      if (goes_on) part.operands.emplace_back(before[i]);
      part.target = done[i] == all.size() ? direct.equations[i].target : next++;
      before[i] = part.target;
      result.equations.push_back(std::move(part));
    }
  }
  for (const Equation& equation : direct.equations) {
    if (equation.operands.empty()) result.equations.push_back(equation);
  }
  return result;
}

/// Returns the program with sums of at most `held` values.
Program with_short_sums(const Program& program, std::size_t held) {
  const Program needed = drop_unread(program);
  return has_temporaries(needed) ? limit_operands(needed, held) : in_blocks(needed, held);
}

class HornerWriter {
 public:
  HornerWriter(const Program& program, const std::vector<std::size_t>& chunks, std::size_t held,
               bool in_blocks)
      : program_(program),
        lines_({kKernelWords, program, chunks}),
        inputs_(program.inputs.begin(), program.inputs.end()),
        outputs_(program.outputs.begin(), program.outputs.end()) {
    std::set<Element> read;
    for (const Equation& equation : program.equations) {
      for (const Element operand : equation.operands) {
        if (inputs_.contains(operand)) read.insert(operand);
      }
    }
    loads_again_ = !in_blocks && read.size() > held;
    most_held_ = in_blocks ? std::min(held, read.size()) + outputs_.size() : read.size();
  }

  void write(const Equation& equation) {
    if (loads_again_) {
      names_.clear();
      most_held_ = std::max(most_held_, equation.operands.size());
    }
    bool loads = false;
    for (const Element operand : equation.operands) {
      if (!inputs_.contains(operand) || names_.contains(operand)) continue;
      if (!std::exchange(loads, true)) lines_.keep_order();
      names_[operand] = lines_.load(operand);
      ++loads_and_stores_;
    }
    const std::string target = lines_.name(equation.target);
    if (equation.operands.empty()) lines_.declare({target + " = 0"}, false);
    for (int bit = highest_bit(equation); bit >= 0; --bit) add_bit(equation, target, bit);
    if (outputs_.contains(equation.target)) {
      lines_.store(equation.target, {target});
      ++loads_and_stores_;
    }
  }

  std::string text() && { return std::move(lines_).text(); }
  std::size_t instructions() const { return instructions_; }
  std::size_t loads_and_stores() const { return loads_and_stores_; }
  std::size_t held() const { return most_held_; }

 private:
  Field::Symbol polynomial(const Operand& operand) const {
    return program_.field.polynomial_of(operand.coefficient);
  }

  int highest_bit(const Equation& equation) const {
    int bit = -1;
    for (const Operand& operand : equation.operands) {
      bit = std::max(bit, static_cast<int>(std::bit_width(polynomial(operand))) - 1);
    }
    return bit;
  }

  void add_bit(const Equation& equation, const std::string& target, int bit) {
    const bool is_first = bit == highest_bit(equation);
    std::vector<std::string> terms;
    if (!is_first) terms.push_back(fmt::format("xl_twice({})", target));
    for (const Operand& operand : equation.operands) {
      if ((polynomial(operand) >> bit & 1U) == 0) continue;
      const auto name = names_.find(operand.element);
      terms.push_back(name != names_.end() ? name->second : lines_.name(operand.element));
    }
    instructions_ += terms.size() / 2 + (is_first ? 0 : kTwiceInstructions);
    lines_.sum(fmt::format("{}{} = ", is_first ? "xl_vec " : "", target), terms);
  }

  const Program& program_;
  LineWriter lines_;
  std::set<Element> inputs_;
  std::set<Element> outputs_;
  bool loads_again_ = false;
  std::map<Element, std::string> names_;  ///< names of inputs that are loaded
  std::size_t instructions_ = 0;
  std::size_t loads_and_stores_ = 0;
  std::size_t most_held_ = 0;
};

constexpr const char* kBegin =
    "// Every symbol times 2: shifted, plus the polynomial where a bit came out.\n"
    "XL_FUNCTION xl_vec xl_twice(xl_vec x) {\n";

/// A symbol in every place of a vector.
std::uint64_t in_all_places(std::uint64_t symbol, std::size_t w, std::size_t vector_bytes) {
  for (std::size_t bits = w; bits < 8 * vector_bytes; bits *= 2) symbol |= symbol << bits;
  return symbol;
}

/// The numbers in the text of xl_twice.
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

KernelDraft horner_kernel(const KernelJob& job) {
  const Code& code = job.code;
  const std::size_t vector_bytes = job.vector_bytes;
  if (!code.field.basis().empty() || code.plane_bytes != 0) {
    fail(Status::kUnsupported,
         "the symbols of {} are not doubled by shifts; the bit-sliced form computes it",
         code.name());
  }
  const std::size_t held = kMostHeld * 4 / vector_bytes;
  const Program sums = with_short_sums(job.equations, held);
  HornerWriter writer(sums, job.chunks, held, !has_temporaries(job.equations));
  for (const Equation& equation : sums.equations) writer.write(equation);
  const std::size_t words = vector_bytes / 4;
  KernelDraft draft;
  draft.definitions = define_access(code) + define_twice(code.field, vector_bytes);
  draft.place = place_of_vectors(code, vector_bytes);
  draft.price = {.bytes = writer.loads_and_stores() * vector_bytes,
                 .instructions = writer.instructions() * words + 3 * job.chunks.size(),
                 .registers = (writer.held() + 4) * words + kOtherHornerRegisters,
                 .columns = vector_bytes};
  draft.kernel.item_columns = vector_bytes;
  draft.lines = std::move(writer).text();
  return draft;
}

}  // namespace xorloom
