#pragma once

#include <string>

namespace xorloom {

/// The processor as the system names it; "unknown" if it does not.
std::string processor_name();

}  // namespace xorloom
