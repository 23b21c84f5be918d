#pragma once

#include <optional>
#include <string>

#include "equations/models/bank_conflicts.hpp"

namespace xorloom::cli {

/// Output of `model banks` in `format`, table or json: the mean of one access or, without `access`,
/// the designs of the paper beside the paper's means.
std::string banks_page(const std::optional<BankAccess>& access, const std::string& format);

}  // namespace xorloom::cli
