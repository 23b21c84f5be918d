#include "gen/gpu/kernel_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gen/source/wrap.hpp"

namespace xorloom {

std::string KernelLines::name(Element element) const {
  return planes_ == 1 ? fmt::format("e{}", element)
                      : fmt::format("e{}_{}", element / planes_, element % planes_);
}

std::string KernelLines::cell(Element element) const {
  const std::size_t cell = element / planes_;
  return fmt::format("c{}, {}", cell / rows_, cell % rows_);
}

void KernelLines::open_part() {
  text_ += "  {\n";
  indent_ = "    ";
}

void KernelLines::close_part() {
  text_ += "  }\n";
  indent_ = "  ";
  begun_.clear();
  loaded_.clear();
  pointed_.clear();
}

void KernelLines::line(const std::string& head, const std::vector<std::string>& words) {
  text_ += wrap(indent_ + head, words, indent_ + "    ") + "\n";
}

bool KernelLines::point_at(Element element) {
  const std::size_t location = element / planes_ / rows_;
  if (!pointed_.insert(location).second) return false;
  const auto index = std::ranges::lower_bound(chunks_, location) - chunks_.begin();
  text_ += fmt::format("{}XL_MEMORY unsigned char *c{} = base + at[{}] + place;\n", indent_,
                       location, index);
  return true;
}

void KernelLines::load_as(Element element, const std::string& as) {
  if (planes_ != 1 && !loaded_.insert(static_cast<Element>(element / planes_)).second) return;
  point_at(element);
  if (planes_ == 1) {
    text_ += fmt::format("{}const xl_vec {} = xl_get({});\n", indent_, as, cell(element));
    return;
  }
  std::vector<std::string> words{cell(element) + ","};
  const Element first = static_cast<Element>(element / planes_ * planes_);
  for (Element bit = 0; bit < planes_; ++bit) words.push_back(name(first + bit) + ",");
  words.back().back() = ')';
  words.back() += ';';
  line("XL_GET_PLANES(", words);
}

void KernelLines::add(const std::vector<Addition>& additions) {
  std::vector<std::string> begun;
  std::vector<std::string> further;
  for (const auto& [sum, value] : additions) {
    const bool is_new = begun_.insert(sum).second;
    (is_new ? begun : further)
        .push_back(
            fmt::format("{} {} {}{}", name(sum), is_new ? "=" : "^=", value, is_new ? "," : ";"));
  }
  if (!begun.empty()) {
    begun.back().back() = ';';
    line("xl_vec ", begun);
  }
  if (!further.empty()) text_ += wrap(indent_, further, indent_) + "\n";
}

void KernelLines::store(Element first, const std::vector<std::string>& values) {
  point_at(first);
  std::vector<std::string> words{cell(first) + ","};
  for (const std::string& value : values) words.push_back(value + ",");
  words.back().back() = ')';
  words.back() += ';';
  line(planes_ == 1 ? "xl_put(" : "XL_PUT_PLANES(", words);
}

}  // namespace xorloom
