#include "cli/shell/program_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

struct Words {
  std::string_view of_library;
  std::string_view of_program;
};
constexpr std::array kWords = {
    Words{"option salvage of decode", "decode --salvage -o FILE"},
    Words{"option accept_damage", "--accept-damage"},
    Words{"option accept_missing", "--accept-missing"},
    Words{"option allow_large", "--allow-large"},
    Words{"option allow_non_mds", "--allow-non-mds"},
    Words{"encode with option replace", "encode --replace"},
    Words{"option as_file", "--as-file"},
    Words{"option base", "--base"},
    Words{"option dereference", "--dereference"},
    Words{"option exclude", "--exclude"},
    Words{"option in_place", "--in-place"},
    Words{"option keep_going", "--keep-going"},
    Words{"option only", "--only NAME"},
    Words{"option replace", "--replace"},
    Words{"option samples", "--samples"},
    Words{"option set", "--set"},
    Words{"option tiles", "--tiles"},
    Words{"option to DIR", "--to DIR"},
};

bool is_of_word(char letter) {
  return letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9');
}

}  // namespace

std::string in_program_words(std::string sentence) {
  for (const Words& words : kWords) {
    std::size_t at = 0;
    while ((at = sentence.find(words.of_library, at)) != std::string::npos) {
      const std::size_t end = at + words.of_library.size();
      const bool is_inside = (at > 0 && is_of_word(sentence[at - 1])) ||
                             (end < sentence.size() && is_of_word(sentence[end]));
      if (is_inside) {
        at = end;
        continue;
      }
      sentence.replace(at, words.of_library.size(), words.of_program);
      at += words.of_program.size();
    }
  }
  return sentence;
}

std::string naming_option(std::string sentence, const Command& command) {
  const std::size_t end = sentence.find(" = ");
  if (end == std::string::npos || end == 0) return sentence;
  std::string name = sentence.substr(0, end);
  if (!std::ranges::all_of(name, is_of_word)) return sentence;
  std::ranges::replace(name, '_', '-');
  name.insert(0, "--");
  if (!takes(command, name) || !is_given(command, name)) return sentence;
  return name + sentence.substr(end);
}

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

std::string shell_word(const std::string& word) {
  const std::string shown = printable(word);
  if (shown != word) {
    std::string text;
    for (std::size_t i = 0; i < word.size(); ++i) {
      constexpr std::string_view kSpecial = "\\'%-";
      const bool is_special =
          word[i] != shown[i] || kSpecial.find(word[i]) != std::string_view::npos;
      text += is_special ? fmt::format("\\{:03o}", static_cast<unsigned char>(word[i]))
                         : std::string(1, word[i]);
    }
    // Not every shell knows $'…', and the output of a command loses the newlines at its end.
    return word.ends_with('\n') ? "$'" + text + "'" : "\"$(printf '" + text + "')\"";
  }
  constexpr std::string_view kPlain = "/._-+,:@%=";
  const bool is_plain = !word.empty() && std::ranges::all_of(word, [&](char letter) {
    return is_of_word(letter) || kPlain.find(letter) != std::string_view::npos;
  });
  return is_plain ? word : in_quotes(word);
}

}  // namespace xorloom::cli
