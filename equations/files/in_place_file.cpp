#include "equations/files/in_place_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "codes/text/counted.hpp"
#include "codes/text/json.hpp"
#include "xorloom/version.h"

namespace xorloom {
namespace {

constexpr std::size_t kWidth = 79;

/// "32 wires, 91 XORs, depth 25".
std::string summary(const InPlaceCircuit& circuit) {
  return fmt::format("{}, {}, depth {}", counted(circuit.size(), "wire"),
                     counted(circuit.xors(), "XOR"), depth(circuit));
}

/// The items after `head`, on lines of at most kWidth columns; later lines begin with `indent`.
std::string wrapped(std::string head, const std::vector<std::string>& items,
                    std::string_view indent) {
  std::string text;
  for (const std::string& item : items) {
    if (head.size() + item.size() > kWidth) {
      text += head.substr(0, head.find_last_not_of(' ') + 1) + '\n';
      head = indent;
    }
    head += item + ' ';
  }
  return text + head.substr(0, head.find_last_not_of(' ') + 1) + '\n';
}

template <typename Text>
std::vector<std::string> texts_of_wires(std::size_t size, const Text& text) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < size; ++i) {
    texts.push_back(text(i) + (i + 1 < size ? "," : ""));
  }
  return texts;
}

}  // namespace

std::string write_text(const InPlaceFile& file) {
  const InPlaceCircuit& circuit = file.circuit;
  std::string text = fmt::format("style:   in place\nwires:   {}\n\n", circuit.size());
  for (const auto& [to, from] : circuit.lines) text += fmt::format("{} ^= {}\n", to, from);
  std::vector<std::string> outputs;
  for (const auto wire : circuit.outputs) outputs.push_back(fmt::format("{}", wire));
  text += '\n' + wrapped("outputs: ", outputs, "         ");
  return text + fmt::format(
                    "\n# cost: {}, depth {}\n"
                    "# proof: symbolic, each output holds as a set of inputs\n",
                    counted(circuit.xors(), "XOR"), depth(circuit));
}

std::string write_json(const InPlaceFile& file) {
  const InPlaceCircuit& circuit = file.circuit;
  Json lines = Json::array();
  for (const auto& [to, from] : circuit.lines) lines.push_back(Json::array({to, from}));
  const Json json{{"format", "xorloom-in-place"},
                  {"version", 1},
                  {"program", "xorloom " XORLOOM_VERSION},
                  {"wires", circuit.size()},
                  {"lines", lines},
                  {"outputs", circuit.outputs},
                  {"cost", {{"xors", circuit.xors()}, {"depth", depth(circuit)}}},
                  {"search", search_json(file.search)},
                  {"proof", {{"method", "symbolic"}, {"holds", true}}}};
  return json.dump() + '\n';
}

std::string write_c(const InPlaceFile& file) {
  const InPlaceCircuit& circuit = file.circuit;
  std::string text = fmt::format(
      "/* {}. Written by xorloom {}. */\n"
      "#include <stdint.h>\n\n"
      "/* Replaces the inputs in `a` by the outputs of the matrix. */\n"
      "void xor_in_place(uint64_t a[{}]) {{\n",
      summary(circuit), XORLOOM_VERSION, circuit.size());
  for (std::size_t i = 0; i < circuit.size(); ++i) {
    text += fmt::format("  uint64_t x{} = a[{}];\n", i, i);
  }
  for (const auto& [to, from] : circuit.lines) text += fmt::format("  x{} ^= x{};\n", to, from);
  for (std::size_t r = 0; r < circuit.size(); ++r) {
    text += fmt::format("  a[{}] = x{};\n", r, circuit.outputs[r]);
  }
  return text + "}\n";
}

std::string write_qasm(const InPlaceFile& file) {
  const InPlaceCircuit& circuit = file.circuit;
  std::string text = fmt::format(
      "OPENQASM 3.0;\ninclude \"stdgates.inc\";\n// {}. Written by xorloom {}.\nqubit[{}] q;\n",
      summary(circuit), XORLOOM_VERSION, circuit.size());
  for (const auto& [to, from] : circuit.lines) text += fmt::format("cx q[{}], q[{}];\n", from, to);
  const auto wire = [&](std::size_t r) { return fmt::format("{}", circuit.outputs[r]); };
  text += wrapped("let output = q[{", texts_of_wires(circuit.size(), wire), "    ");
  text.pop_back();
  return text + "}];\n";
}

}  // namespace xorloom
