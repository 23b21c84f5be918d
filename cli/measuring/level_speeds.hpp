#pragma once

namespace xorloom::cli {

/// GB/s of data where a stripe lies in L1, L2, L3 and memory.
struct LevelSpeeds {
  double l1 = 0;
  double l2 = 0;
  double l3 = 0;
  double memory = 0;
};

}  // namespace xorloom::cli
