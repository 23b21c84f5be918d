#include "gen/gpu/packet_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "gen/source/source_body.hpp"
#include "gen/source/wrap.hpp"

namespace xorloom {
namespace {

/// Lines of a kernel as they are written.
class PacketLines {
 public:
  PacketLines(const Program& program, const std::vector<std::size_t>& chunks)
      : program_(program), chunks_(chunks) {}

  void load(Element element) {
    point_at(element);
    text_ += fmt::format("  const xl_vec {} = xl_get({});\n", name(element), cell(element));
  }

  /// Adds a value to sums. Those that are new begin with it.
  void add(Element value, const std::vector<Element>& sums) {
    std::vector<std::string> begun;
    std::vector<std::string> further;
    for (const Element sum : sums) {
      const bool is_new = begun_.insert(sum).second;
      (is_new ? begun : further)
          .push_back(fmt::format("{} {} {}{}", name(sum), is_new ? "=" : "^=", name(value),
                                 is_new ? "," : ";"));
    }
    if (!begun.empty()) {
      begun.back().back() = ';';
      text_ += wrap("  xl_vec ", begun, "      ") + "\n";
    }
    if (!further.empty()) text_ += wrap("  ", further, "  ") + "\n";
  }

  void store(Element element) {
    if (begun_.insert(element).second) {
      text_ += fmt::format("  xl_vec {} = 0;\n", name(element));
    }
    point_at(element);
    text_ += fmt::format("  xl_put({}, {});\n", cell(element), name(element));
  }

  std::string text() && { return std::move(text_); }

 private:
  std::string name(Element element) const { return value_name(program_, element); }

  std::string cell(Element element) const {
    return fmt::format("c{}, {}", element / program_.rows, element % program_.rows);
  }

  void point_at(Element element) {
    const std::size_t location = element / program_.rows;
    if (!pointed_.insert(location).second) return;
    const auto index = std::ranges::lower_bound(chunks_, location) - chunks_.begin();
    text_ +=
        fmt::format("  XL_MEMORY unsigned char *c{} = base + at[{}] + place;\n", location, index);
  }

  const Program& program_;
  const std::vector<std::size_t>& chunks_;
  std::set<Element> begun_;
  std::set<std::size_t> pointed_;
  std::string text_;
};

}  // namespace

std::string define_packets(const Code& code) {
  return fmt::format(
      "#define XL_PACKET_BYTES {}\n\n"
      "XL_FUNCTION xl_vec xl_get(const XL_MEMORY unsigned char *chunk, xl_size row) {{\n"
      "  return *(const XL_MEMORY xl_vec *)(chunk + row * XL_PACKET_BYTES);\n"
      "}}\n\n"
      "XL_FUNCTION void xl_put(XL_MEMORY unsigned char *chunk, xl_size row, xl_vec value) {{\n"
      "  *(XL_MEMORY xl_vec *)(chunk + row * XL_PACKET_BYTES) = value;\n"
      "}}\n\n",
      code.packet_bytes);
}

std::string write_packet_place(const Code& code, std::size_t vector_bytes) {
  return fmt::format(
      "  (void)pitch;\n"
      "  const xl_size column = xl_item() * {};\n"
      "  if (column >= columns) return;\n"
      "  const xl_size place = column / {} * {} + column % {};\n",
      vector_bytes, code.packet_bytes, chunk_multiple(code), code.packet_bytes);
}

std::string write_accumulators(const Program& direct, const std::vector<std::size_t>& chunks) {
  std::map<Element, std::vector<Element>> readers;
  for (const Equation& equation : direct.equations) {
    for (const Element operand : equation.operands) readers[operand].push_back(equation.target);
  }
  PacketLines lines(direct, chunks);
  for (const auto& [input, sums] : readers) {
    lines.load(input);
    lines.add(input, sums);
  }
  for (const Element output : direct.outputs) lines.store(output);
  return std::move(lines).text();
}

}  // namespace xorloom
