#include "gen/text/wrap.hpp"

#include <algorithm>

namespace xorloom {
namespace {

constexpr std::size_t kColumns = 80;

}  // namespace

std::string wrap(std::string_view head, const std::vector<std::string>& words,
                 std::string_view indent) {
  std::string text(head);
  std::size_t column = head.size();
  bool fresh = true;
  for (const std::string& word : words) {
    if (!fresh && column + 1 + word.size() > kColumns) {
      text += '\n';
      text += indent;
      column = indent.size();
    } else if (!fresh) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
    fresh = false;
  }
  return text;
}

std::string wrap_text(std::string_view head, std::string_view text, std::string_view indent) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    words.emplace_back(word);
  }
  return wrap(head, words, indent);
}

std::vector<std::string> list_words(std::vector<std::string> items, std::string_view between,
                                    std::string_view end) {
  for (std::size_t i = 0; i < items.size(); ++i) items[i] += i + 1 < items.size() ? between : end;
  return items;
}

std::string array_lines(const std::vector<std::string>& items, std::size_t per_line) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += i == 0 ? "    " : i % per_line == 0 ? ",\n    " : ", ";
    text += items[i];
  }
  return text;
}

}  // namespace xorloom
