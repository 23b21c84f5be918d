#pragma once

#include <array>

namespace xorloom::cli {

/// GB/s of data where a stripe lies in L1, L2, L3 and memory.
struct LevelSpeeds {
  double l1 = 0;
  double l2 = 0;
  double l3 = 0;
  double memory = 0;
};

/// A level as JSON and as people call it.
struct NamedLevel {
  const char* key;
  const char* name;
  double LevelSpeeds::*speed;
};

inline constexpr std::array kNamedLevels{
    NamedLevel{"l1", "L1", &LevelSpeeds::l1}, NamedLevel{"l2", "L2", &LevelSpeeds::l2},
    NamedLevel{"l3", "L3", &LevelSpeeds::l3}, NamedLevel{"memory", "memory", &LevelSpeeds::memory}};

}  // namespace xorloom::cli
