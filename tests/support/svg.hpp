#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xorloom {

/// Counts the occurrences of `part` in `text`.
inline std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// Returns every text between a `begin` and the next `end`.
inline std::vector<std::string> all_between(std::string_view text, std::string_view begin,
                                            std::string_view end) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(begin); at != std::string_view::npos;
       at = text.find(begin, at + 1)) {
    const std::size_t from = at + begin.size();
    const std::size_t to = text.find(end, from);
    if (to == std::string_view::npos) break;
    found.emplace_back(text.substr(from, to - from));
  }
  return found;
}

/// Describes why a text is not one well-formed XML element, as far as these pictures use XML: tags
/// nest, attributes are in quotes and occur once, and no & or < is bare. Empty: it is one.
inline std::string not_well_formed(std::string_view text) {
  std::vector<std::string> open;
  bool had_root = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      const std::string_view name = end == std::string_view::npos ? "" : text.substr(at, end - at);
      if (name != "&amp" && name != "&lt" && name != "&gt" && name != "&quot") return "a bare &";
      at = end;
    } else if (text[at] == '<') {
      const std::size_t end = text.find('>', at);
      if (end == std::string_view::npos) return "a tag without an end";
      std::string_view tag = text.substr(at + 1, end - at - 1);
      at = end + 1;
      if (tag.starts_with('/')) {
        if (open.empty() || open.back() != tag.substr(1)) return "</" + std::string(tag) + ">";
        open.pop_back();
        continue;
      }
      const bool is_empty = tag.ends_with('/');
      if (is_empty) tag.remove_suffix(1);
      const std::size_t name_end = std::min(tag.find(' '), tag.size());
      const std::string name(tag.substr(0, name_end));
      if (open.empty() && had_root) return "a second root " + name;
      had_root = true;
      std::vector<std::string> keys;
      for (std::string_view rest = tag.substr(name_end); !rest.empty();) {
        const std::size_t sign = rest.find("=\"");
        const std::size_t quote = rest.find('"', sign + 2);
        if (rest.front() != ' ' || sign == std::string_view::npos ||
            quote == std::string_view::npos) {
          return "attributes of <" + std::string(tag) + ">";
        }
        keys.emplace_back(rest.substr(1, sign - 1));
        for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
          if (keys[i] == keys.back()) return "twice " + keys.back();
        }
        if (rest.substr(sign + 2, quote - sign - 2).find('<') != std::string_view::npos) {
          return "< in " + keys.back();
        }
        rest.remove_prefix(quote + 1);
      }
      if (!is_empty) open.push_back(name);
    } else {
      if (open.empty() && std::isspace(static_cast<unsigned char>(text[at])) == 0) {
        return "text outside of the root";
      }
      ++at;
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

}  // namespace xorloom
