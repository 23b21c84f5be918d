#pragma once

namespace xorloom::cli {

/// Sees to it that Ctrl-C, Ctrl-\, a hangup, a polite kill and a limit on the processor's time
/// leave no half-written files and no line about progress behind, and that a limit on the size of
/// files is an error of writing. To be called before any other thread begins.
void clean_up_on_interrupt();

}  // namespace xorloom::cli
