#pragma once

#include <string>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Tells the function of set_log() a sentence, unless it has heard another of the same kind: kIo of
/// devices, the others of machine code.
void log_once(Status kind, const std::string& sentence) noexcept;

}  // namespace xorloom
