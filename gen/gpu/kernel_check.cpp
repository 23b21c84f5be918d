#include "gen/gpu/kernel_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "equations/ir/operands.hpp"
#include "equations/ir/proof.hpp"
#include "gen/source/source_tokens.hpp"

namespace xorloom {
namespace {

/// A value: a sum of inputs, which are numbered as in the program.
using Value = std::vector<Operand>;

class KernelReader : SourceTokens {
 public:
  KernelReader(const Program& program, const std::vector<std::size_t>& chunks, std::size_t planes)
      : program_(program), chunks_(chunks), planes_(planes), rows_(program.rows / planes) {
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
      memory_.emplace(program.inputs[i], Value{static_cast<Element>(i)});
    }
    for (const Element output : program.outputs) stored_.emplace(output, false);
  }

  void read_lines(std::string_view lines) {
    read(lines);
    while (!is_at_end()) statement();
    if (in_part_) bad("a part does not end");
  }

  void compare() const {
    const Matrix expected = coefficients_of(program_);
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
      const Element output = program_.outputs[i];
      if (!stored_.at(output)) bad(fmt::format("{} is not stored", element_name(program_, output)));
      Value sum;
      for (std::size_t column = 0; column < program_.inputs.size(); ++column) {
        if (expected(i, column) == 0) continue;
        sum.emplace_back(static_cast<Element>(column), expected(i, column));
      }
      if (memory_.at(output) != sum) {
        bad(fmt::format("{} is another sum", element_name(program_, output)));
      }
    }
  }

 private:
  void add(Value& to, const Value& value) const { add_scaled(program_.field, to, 1, value); }

  void multiply(Value& value, Field::Symbol by) const {
    if (by == 0) value.clear();
    for (Operand& operand : value) {
      operand.coefficient = program_.field.multiply(operand.coefficient, by);
    }
  }

  Value& value_named(std::string_view name) {
    const auto found = values_.find(name);
    if (found == values_.end()) bad_here(fmt::format("'{}' is not known", name));
    return found->second;
  }

  void declare(std::string_view name, Value value) {
    if (!values_.emplace(name, std::move(value)).second) {
      bad_here(fmt::format("'{}' is declared twice", name));
    }
  }

  /// The first element of the cell "c5, 2".
  Element cell() { return static_cast<Element>(cell_number(pointers_, rows_) * planes_); }

  const Value& loaded(Element element) const {
    const auto found = memory_.find(element);
    if (found == memory_.end()) bad_here("what is loaded is neither input nor stored");
    return found->second;
  }

  void store(Element element, Value value) {
    const auto output = stored_.find(element);
    if (output == stored_.end()) bad_here("what is stored is no output");
    if (std::exchange(output->second, true)) bad_here("an output is stored twice");
    memory_[element] = std::move(value);
  }

  Value term() {
    if (take("xl_get(")) {
      const Element element = cell();
      expect(")");
      return loaded(element);
    }
    if (take("xl_xor3(")) {
      Value value = sum();
      for (int i = 0; i < 2; ++i) {
        expect(",");
        add(value, sum());
      }
      expect(")");
      return value;
    }
    if (take("xl_twice(")) {
      Value value = sum();
      expect(")");
      multiply(value, program_.field.symbol_of(2));
      return value;
    }
    if (take("xl_product(")) {
      const auto coefficient = static_cast<Field::Symbol>(number());
      expect(",");
      Value value = sum();
      expect(")");
      multiply(value, coefficient);
      return value;
    }
    if (take_word("0")) return {};
    return value_named(word());
  }

  Value sum() {
    Value value = term();
    while (take("^")) add(value, term());
    return value;
  }

  void statement() {
    if (take("{")) {
      if (in_part_) bad_here("a part within a part");
      begin_part(true);
      return;
    }
    if (take("}")) {
      if (!in_part_) bad_here("no part ends");
      begin_part(false);
      return;
    }
    if (take("xl_in_order()")) {
    } else if (take("XL_MEMORY unsigned char *")) {
      pointer();
    } else if (take_word("const")) {
      expect("xl_vec");
      declarations();
    } else if (take_word("xl_vec")) {
      declarations();
    } else if (take("xl_put(")) {
      const Element element = cell();
      expect(",");
      store(element, sum());
      expect(")");
    } else if (take("XL_GET_PLANES(")) {
      get_planes();
    } else if (take("XL_PUT_PLANES(")) {
      put_planes();
    } else {
      assign();
    }
    expect(";");
  }

  void begin_part(bool in_part) {
    in_part_ = in_part;
    values_.clear();
    pointers_.clear();
  }

  void pointer() {
    const std::string_view name = word();
    expect("= base + at[");
    const std::uint64_t index = number();
    expect("] + place");
    if (index >= chunks_.size()) bad_here(fmt::format("chunk {} does not exist", index));
    if (!pointers_.emplace(name, chunks_[index]).second) bad_here("a pointer is declared twice");
  }

  void declarations() {
    do {
      const std::string_view name = word();
      expect("=");
      declare(name, sum());
    } while (take(","));
  }

  void assign() {
    const std::string_view name = word();
    if (take("^=")) {
      const Value value = sum();
      add(value_named(name), value);
    } else {
      expect("=");
      Value value = sum();
      value_named(name) = std::move(value);
    }
  }

  void get_planes() {
    const Element first = cell();
    for (Element bit = 0; bit < planes_; ++bit) {
      expect(",");
      declare(word(), loaded(first + bit));
    }
    expect(")");
  }

  void put_planes() {
    const Element first = cell();
    for (Element bit = 0; bit < planes_; ++bit) {
      expect(",");
      store(first + bit, sum());
    }
    expect(")");
  }

  const Program& program_;
  const std::vector<std::size_t>& chunks_;
  std::size_t planes_;
  std::size_t rows_;                 ///< cells of a chunk
  std::map<Element, Value> memory_;  ///< inputs, and what was stored
  std::map<Element, bool> stored_;
  bool in_part_ = false;
  std::map<std::string_view, std::size_t> pointers_;
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace

void check_kernel_lines(const Program& program, const std::vector<std::size_t>& chunks,
                        std::size_t planes, std::string_view lines) {
  KernelReader reader(program, chunks, planes);
  reader.read_lines(lines);
  reader.compare();
}

}  // namespace xorloom
