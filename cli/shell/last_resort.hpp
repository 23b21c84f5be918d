#pragma once

namespace xorloom::cli {

/// Lets exit() end the program as usual. Before this call, exit() counts as lack of memory, since
/// only a library without memory calls it then.
void allow_exit() noexcept;

}  // namespace xorloom::cli
