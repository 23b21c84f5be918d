#pragma once

#include <string>

#include "gen/gpu/kernel_price.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

/// A kernel in one form, before its head is written.
struct KernelDraft {
  KernelText kernel{};        ///< without source; entry and chunks once it is chosen
  std::string definitions{};  ///< functions and macros that its lines call
  std::string place{};        ///< its first lines: which columns it computes
  std::string lines{};
  KernelPrice price{};
};

}  // namespace xorloom
