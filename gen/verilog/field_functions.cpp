#include "gen/verilog/field_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "gen/text/source_tokens.hpp"
#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

using Symbol = Field::Symbol;

Symbol bit(std::size_t i) { return Symbol{1} << i; }

/// "    head = a ^ b ^ c;"
std::string sum(const std::string& head, const std::vector<std::string>& terms) {
  std::vector<std::string> words;
  for (const std::string& term : terms) words.push_back((words.empty() ? "" : "^ ") + term);
  if (words.empty()) words.emplace_back("1'b0");
  words.back() += ';';
  return wrap(fmt::format("      {} = ", head), words, "          ") + "\n";
}

std::string product_function(const Field& field) {
  const std::size_t w = field.w();
  std::string text =
      "  // The product of two symbols: that of two polynomials, modulo the polynomial of the "
      "field.\n"
      "  function [W-1:0] product;\n"
      "    input [W-1:0] a;\n"
      "    input [W-1:0] b;\n"
      "    reg [2*W-2:0] d;\n"
      "    begin\n";
  for (std::size_t n = 0; n < 2 * w - 1; ++n) {
    std::vector<std::string> terms;
    for (std::size_t i = n < w ? 0 : n - w + 1; i <= std::min(n, w - 1); ++i) {
      terms.push_back(fmt::format("(a[{}] & b[{}])", i, n - i));
    }
    text += sum(fmt::format("d[{}]", n), terms);
  }
  // x^n as a polynomial of degree below w.
  std::vector<std::uint64_t> powers(2 * w - 1);
  for (std::size_t n = 0; n < powers.size(); ++n) {
    powers[n] = n < w ? std::uint64_t{1} << n : powers[n - 1] << 1;
    if ((powers[n] >> w & 1U) != 0) powers[n] ^= field.polynomial();
  }
  for (std::size_t l = 0; l < w; ++l) {
    std::vector<std::string> terms;
    for (std::size_t n = 0; n < powers.size(); ++n) {
      if ((powers[n] >> l & 1U) != 0) terms.push_back(fmt::format("d[{}]", n));
    }
    text += sum(fmt::format("product[{}]", l), terms);
  }
  return text + "    end\n  endfunction\n";
}

/// A linear function of a symbol, by the images of its bits.
template <typename Image>
std::string linear_function(const Field& field, const char* name, const char* comment,
                            const Image& image) {
  std::string text = fmt::format(
      "\n  // {0}\n"
      "  function [W-1:0] {1};\n"
      "    input [W-1:0] s;\n"
      "    begin\n",
      comment, name);
  for (std::size_t l = 0; l < field.w(); ++l) {
    std::vector<std::string> terms;
    for (std::size_t i = 0; i < field.w(); ++i) {
      if ((image(bit(i)) & bit(l)) != 0) terms.push_back(fmt::format("s[{}]", i));
    }
    text += sum(fmt::format("{}[{}]", name, l), terms);
  }
  return text + "    end\n  endfunction\n";
}

/// Functions of any inputs whose statements are sums of bits and of products of two bits.
class FunctionReader : SourceTokens {
 public:
  /// A product of bits, named and sorted: {"a[3]", "b[4]"}; one bit is a product, too.
  using Term = std::set<std::string>;
  using Value = std::set<Term>;

  explicit FunctionReader(std::string_view text) : text_(without_comments(text)) {
    read(text_);
    while (!is_at_end()) function();
  }

  const Value& value(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) bad(fmt::format("nothing is assigned to {}", name));
    return found->second;
  }
  std::size_t size() const { return values_.size(); }

  using SourceTokens::bad;

 private:
  static std::string without_comments(std::string_view text) {
    std::string kept;
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      if (!line.starts_with("  //")) kept += fmt::format("{}\n", line);
      text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return kept;
  }

  void function() {
    expect("function");
    expect("[W-1:0]");
    name_ = word();
    expect(";");
    std::set<std::string, std::less<>> inputs;
    while (take("input [W-1:0]")) {
      inputs.emplace(word());
      expect(";");
    }
    if (take("reg [2*W-2:0]")) {
      word();
      expect(";");
    }
    expect("begin");
    std::map<std::string, Value> locals;
    while (!take_word("end")) {
      const std::string target = place();
      expect("=");
      Value value = sum(inputs, locals);
      expect(";");
      auto& values = target.starts_with(name_ + "[") ? values_ : locals;
      if (!values.emplace(target, std::move(value)).second) {
        bad_here(fmt::format("{} is assigned twice", target));
      }
    }
    expect("endfunction");
  }

  std::string place() {
    const std::string_view name = word();
    expect("[");
    const std::size_t index = number();
    expect("]");
    return fmt::format("{}[{}]", name, index);
  }

  Value sum(const std::set<std::string, std::less<>>& inputs,
            const std::map<std::string, Value>& locals) {
    Value total;
    if (take("1'b0")) return total;
    do {
      if (take("(")) {
        Term term{place()};
        expect("&");
        term.insert(place());
        expect(")");
        add(total, term, inputs);
        continue;
      }
      const std::string name = place();
      const auto local = locals.find(name);
      if (local == locals.end()) {
        add(total, {name}, inputs);
      } else {
        for (const Term& term : local->second) toggle(total, term);
      }
    } while (take("^"));
    return total;
  }

  void add(Value& total, const Term& term, const std::set<std::string, std::less<>>& inputs) {
    for (const std::string& name : term) {
      if (!inputs.contains(name.substr(0, name.find('[')))) {
        bad_here(fmt::format("{} is no input", name));
      }
    }
    toggle(total, term);
  }

  static void toggle(Value& total, const Term& term) {
    if (!total.insert(term).second) total.erase(term);
  }

  std::string text_;
  std::string name_;                     ///< of the function that is read
  std::map<std::string, Value> values_;  ///< of the bits of all functions
};

template <typename Image>
void check_linear(const Field& field, const FunctionReader& reader, const char* name,
                  const Image& image) {
  for (std::size_t l = 0; l < field.w(); ++l) {
    FunctionReader::Value wanted;
    for (std::size_t i = 0; i < field.w(); ++i) {
      if ((image(bit(i)) & bit(l)) != 0) wanted.insert({fmt::format("s[{}]", i)});
    }
    if (reader.value(fmt::format("{}[{}]", name, l)) != wanted) {
      reader.bad(fmt::format("bit {} of {} is another sum", l, name));
    }
  }
}

}  // namespace

std::string write_field_functions(const Field& field) {
  std::string text = product_function(field);
  if (!field.basis().empty()) {
    text += linear_function(field, "polynomial_of", "The polynomial that a symbol stands for.",
                            [&](Symbol s) { return field.polynomial_of(s); });
    text += linear_function(field, "symbol_of", "The symbol that stands for a polynomial.",
                            [&](Symbol s) { return field.symbol_of(s); });
  }
  check_field_functions(field, text);
  return text;
}

void check_field_functions(const Field& field, std::string_view text) {
  const FunctionReader reader(text);
  const std::size_t w = field.w();
  const Field polynomials(w, field.polynomial());
  for (std::size_t l = 0; l < w; ++l) {
    FunctionReader::Value wanted;
    for (std::size_t i = 0; i < w; ++i) {
      for (std::size_t j = 0; j < w; ++j) {
        if ((polynomials.multiply_by_shifts(bit(i), bit(j)) & bit(l)) != 0) {
          wanted.insert({fmt::format("a[{}]", i), fmt::format("b[{}]", j)});
        }
      }
    }
    if (reader.value(fmt::format("product[{}]", l)) != wanted) {
      reader.bad(fmt::format("bit {} of a product is another sum", l));
    }
  }
  const bool has_basis = !field.basis().empty();
  if (reader.size() != (has_basis ? 3 * w : w)) reader.bad("there are other functions");
  if (!has_basis) return;
  check_linear(field, reader, "polynomial_of", [&](Symbol s) { return field.polynomial_of(s); });
  check_linear(field, reader, "symbol_of", [&](Symbol s) { return field.symbol_of(s); });
}

}  // namespace xorloom
