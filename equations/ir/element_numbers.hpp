#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// A map from some elements of a program to numbers. An element without a number takes half a bit,
/// since there may be many inputs that nothing reads.
class ElementNumbers {
 public:
  /// `none`: the number of an element that was not set.
  ElementNumbers(std::size_t num_elements, std::uint32_t none)
      : block_of_(num_elements / kBlock + 1), numbers_(kBlock, none), none_(none) {}

  std::uint32_t operator[](Element element) const {
    return numbers_[block_of_[element / kBlock] * kBlock + element % kBlock];
  }

  void set(Element element, std::uint32_t number) {
    std::uint32_t& block = block_of_[element / kBlock];
    if (block == 0) {
      block = static_cast<std::uint32_t>(numbers_.size() / kBlock);
      numbers_.resize(numbers_.size() + kBlock, none_);
    }
    numbers_[block * kBlock + element % kBlock] = number;
  }

 private:
  static constexpr std::size_t kBlock = 64;

  std::vector<std::uint32_t> block_of_;  ///< by element / kBlock; block 0 has no numbers
  std::vector<std::uint32_t> numbers_;   ///< block after block
  std::uint32_t none_;
};

}  // namespace xorloom
