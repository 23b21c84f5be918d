#pragma once

namespace xorloom::cli {

/// Says that memory ran out, with no allocation, and returns the status to end with.
int complain_of_memory() noexcept;

}  // namespace xorloom::cli
