#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gen/gpu/kernel_price.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

/// A kernel in one form, before its head is written.
struct KernelDraft {
  KernelForm form = KernelForm::kAccumulators;
  std::string definitions{};  ///< functions and macros that its lines call
  std::string place{};        ///< its first lines: which columns it computes
  std::string lines{};
  KernelPrice price{};
  std::size_t vector_bytes = 4;
  std::size_t item_columns = 4;
  std::size_t team = 1;
  std::vector<std::uint8_t> tables{};
};

}  // namespace xorloom
