#pragma once

namespace xorloom::cli {

/// Lets exit() end the program as usual. Before that, only a library without memory calls it.
void allow_exit() noexcept;

}  // namespace xorloom::cli
