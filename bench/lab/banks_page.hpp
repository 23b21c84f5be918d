#pragma once

#include <optional>
#include <string>

#include "equations/models/bank_conflicts.hpp"

namespace xorloom::cli {

/// What `model banks` prints, as a table or JSON: one access or, without one, the designs of the
/// paper with its means.
std::string banks_page(const std::optional<BankAccess>& access, const std::string& format);

}  // namespace xorloom::cli
