#pragma once

namespace xorloom::cli {

/// Sees to it that Ctrl-C, a hangup and a polite kill leave no half-written files behind. To be called
/// before any other thread begins.
void clean_up_on_interrupt();

}  // namespace xorloom::cli
