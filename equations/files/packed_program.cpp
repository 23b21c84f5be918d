#include "equations/files/packed_program.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/operands.hpp"

namespace xorloom {
namespace {

/// LEB128: seven bits per byte, the lowest first; the top bit is set if more bytes follow.
void put_number(std::vector<std::uint8_t>& bytes, std::uint64_t number) {
  for (; number >= 128; number >>= 7) bytes.push_back(static_cast<std::uint8_t>(number | 128));
  bytes.push_back(static_cast<std::uint8_t>(number));
}

[[noreturn]] void fail_as_damaged(const char* what) { fail(Status::kDamaged, what); }

/// Reads numbers one after the other, until the bytes end.
class Numbers {
 public:
  explicit Numbers(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool are_over() const { return bytes_.empty(); }

  /// Reads a number of at most `most`.
  std::uint32_t next(std::uint64_t most) {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      if (bytes_.empty()) fail_as_damaged("it ends within a number");
      const std::uint8_t byte = bytes_.front();
      bytes_ = bytes_.subspan(1);
      number |= std::uint64_t{byte & 127U} << shift;
      if (byte >= 128) continue;
      if (number > most) fail_as_damaged("it has a number that is out of range");
      return static_cast<std::uint32_t>(number);
    }
    fail_as_damaged("it has a number of more than 32 bits");
  }

  /// Reads a count of items that take at least a byte each.
  std::uint32_t next_count() { return next(bytes_.size()); }

 private:
  std::span<const std::uint8_t> bytes_;
};

/// Most inputs, and most outputs; more than any code with equations has.
constexpr std::uint32_t kMostCells = std::uint32_t{1} << 24;

/// Renames the elements of all equations. Elements without a name get `next` and the numbers after
/// it.
Program renamed(Program program, ElementNames names, Element next) {
  for (Equation& equation : program.equations) {
    equation = xorloom::renamed(std::move(equation), names, next);
  }
  return program;
}

}  // namespace

Program without_places(Program program) {
  Program result;
  result.locations = program.inputs.size() + program.outputs.size();
  result.rows = 1;
  result.field = program.field;
  ElementNames names(program.end_of_elements(), kUnnamed);
  Element next = 0;
  const auto name_all = [&](std::vector<Element> elements, std::vector<Element>& cells) {
    std::ranges::sort(elements);
    for (const Element element : elements) {
      names[element] = next;
      cells.push_back(next++);
    }
  };
  name_all(program.inputs, result.inputs);
  name_all(program.outputs, result.outputs);
  result.equations = std::move(program.equations);
  return renamed(std::move(result), std::move(names), next);
}

Program placed(Program program, std::size_t locations, std::size_t rows,
               const std::vector<Element>& inputs, const std::vector<Element>& outputs) {
  Program like{locations, rows, inputs, outputs, {}, {}, program.field};
  return placed_like(std::move(program), like);
}

Program placed_like(Program program, const Program& like) {
  ElementNames names = like.inputs;
  std::ranges::sort(names);
  const auto outputs = static_cast<std::ptrdiff_t>(names.size());
  names.insert(names.end(), like.outputs.begin(), like.outputs.end());
  std::ranges::sort(names.begin() + outputs, names.end());
  names.resize(std::max<std::size_t>(names.size(), program.end_of_elements()), kUnnamed);
  return renamed({like.locations, like.rows, like.inputs, like.outputs,
                  std::move(program.equations), like.virtuals, program.field},
                 std::move(names), like.first_temporary());
}

std::vector<std::uint8_t> packed(const Program& program) {
  std::vector<std::uint8_t> bytes;
  put_number(bytes, program.inputs.size());
  put_number(bytes, program.outputs.size());
  put_number(bytes, program.equations.size());
  for (const auto& [target, operands] : program.equations) {
    const bool is_temporary = target >= program.num_cells();
    put_number(bytes, is_temporary ? 0 : 1 + target - program.inputs.size());
    put_number(bytes, operands.size());
    Element after = 0;
    for (const auto& [element, coefficient] : operands) {
      put_number(bytes, element - after);
      if (!program.is_xor()) put_number(bytes, coefficient);
      after = element + 1;
    }
  }
  return bytes;
}

Program unpacked(std::span<const std::uint8_t> bytes, std::uint32_t cells, const Field& field) {
  Numbers numbers(bytes);
  Program program;
  program.field = field;
  const std::uint32_t inputs = numbers.next(std::min(cells, kMostCells));
  const std::uint32_t outputs = numbers.next(std::min(cells, kMostCells));
  program.locations = inputs + outputs;
  program.rows = 1;
  for (Element i = 0; i < inputs; ++i) program.inputs.push_back(i);
  for (Element o = 0; o < outputs; ++o) program.outputs.push_back(inputs + o);
  Element next = program.num_cells();
  for (std::uint32_t left = numbers.next_count(); left != 0; --left) {
    Equation equation{};
    const std::uint32_t target = numbers.next(outputs);
    equation.target = target == 0 ? next : inputs + target - 1;
    Element after = 0;
    for (std::uint32_t terms = numbers.next_count(); terms != 0; --terms) {
      if (after >= next) fail_as_damaged("an equation reads what is not there");
      Operand& operand = equation.operands.emplace_back(after + numbers.next(next - 1 - after));
      if (!program.is_xor()) operand.coefficient = numbers.next(field.size() - 1);
      if (operand.coefficient == 0) fail_as_damaged("an operand has the coefficient 0");
      after = operand.element + 1;
    }
    if (target == 0) ++next;
    program.equations.push_back(std::move(equation));
  }
  if (!numbers.are_over()) fail_as_damaged("more bytes follow its equations");
  try {
    check_program(program);
  } catch (const Error& error) {
    fail(Status::kDamaged, error.what());
  }
  return program;
}

std::vector<std::uint8_t> packed_elements(const std::vector<Element>& elements) {
  std::vector<std::uint8_t> bytes;
  put_number(bytes, elements.size());
  Element after = 0;
  for (std::size_t i = 0; i < elements.size();) {
    std::size_t end = i + 1;
    while (end < elements.size() && elements[end] == elements[end - 1] + 1) ++end;
    put_number(bytes, elements[i] - after);
    put_number(bytes, end - i);
    after = elements[end - 1] + 1;
    i = end;
  }
  return bytes;
}

std::vector<Element> unpacked_elements(std::span<const std::uint8_t> bytes, Element end) {
  Numbers numbers(bytes);
  std::vector<Element> elements;
  const std::uint32_t count = numbers.next(end);
  Element next = 0;
  while (!numbers.are_over()) {
    next += numbers.next(end - next);
    for (std::uint32_t left = numbers.next(end - next); left != 0; --left) {
      elements.push_back(next++);
    }
  }
  if (elements.size() != count) fail_as_damaged("it has not as many elements as it says");
  return elements;
}

}  // namespace xorloom
