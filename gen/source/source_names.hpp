#pragma once

#include <optional>
#include <string>

#include "codes/code.hpp"
#include "gen/source/language.hpp"

namespace xorloom {

/// Throws kInvalidArgument unless a name stays good whatever it is joined with by an underscore, in
/// C and in C++: letters and digits with single underscores between them.
void check_name(const std::string& name);

/// What the names of a file begin with, or its namespace: "xl_" and the given name, or one made of
/// the code.
std::string file_prefix(const Code& code, const std::optional<std::string>& name);

/// The head of a public function, with what follows it.
std::string signature(const LanguageWords& language, const std::string& prefix,
                      const std::string& name, const std::string& tail);

}  // namespace xorloom
