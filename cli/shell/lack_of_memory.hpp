#pragma once

namespace xorloom::cli {

/// Prints that memory ran out, without allocating, and returns the exit status for it.
int complain_of_memory() noexcept;

}  // namespace xorloom::cli
