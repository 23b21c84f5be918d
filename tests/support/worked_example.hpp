#pragma once

#include <string>

#include "codes/families/families.hpp"
#include "equations/files/equation_file.hpp"

namespace xorloom {

// The worked example of the paper the project begins with: k = 5, m = 2, w = 3, x^3 + x + 1.

inline constexpr const char* kWorkedExample = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0,poly=0xb";

/// Its six direct equations, as printed.
inline constexpr const char* kPaperDirect =
    "eq. 1: 15 = XOR(2,3,4,5,7,9,11,12)\n"
    "eq. 2: 16 = XOR(0,2,3,7,8,9,10,11,13)\n"
    "eq. 3: 17 = XOR(1,3,4,6,8,10,11,14)\n"
    "eq. 4: 18 = XOR(0,2,4,6,7,8,11,12,13)\n"
    "eq. 5: 19 = XOR(0,1,2,4,5,6,9,11,14)\n"
    "eq. 6: 20 = XOR(1,2,3,5,6,7,10,12)\n";

/// Its fourteen iterative equations, as printed: users first, and two with another colon.
inline constexpr const char* kPaperIterative =
    "eq. 1: 15 = XOR(B,C,D)\n"
    "eq. 2: 16 = XOR(D,E,F)\n"
    "eq. 3: 17 = XOR(3,4,8,E,H)\n"
    "eq. 4: 18 = XOR(2,4,6,7,C,F)\n"
    "eq. 5: 19 = XOR(0,2,9,11,B,H)\n"
    "eq. 6: 20 = XOR(5,7,10,12,A,G)\n"
    "\n"
    "eq. 7: A = XOR(2,3)\n"
    "eq. 8: B = XOR(4,5)\n"
    "eq. 9: C = XOR(11,12)\n"
    "eq.10: D = XOR(7,9,A)\n"
    "eq:11: E = XOR(10,11)\n"
    "eq:12: F = XOR(0,8,13)\n"
    "eq:13: G = XOR(1,6)\n"
    "eq:14: H = XOR(14,G)\n";

/// The iterative equations as a program of the worked example's code.
inline Program paper_iterative() {
  const Code code = make_code(kWorkedExample);
  return read_equations(kPaperIterative, &code).program;
}

}  // namespace xorloom
