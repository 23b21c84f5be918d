// Searches programs of a code as long as for those that the library carries:
//
//     xorloom_search_wisdom DIRECTORY SPEC avx2|avx512
//
// for encoding and for the loss of the first chunk, and keeps them in the directory. See
// scripts/make-library.

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <vector>

#include "codes/families/families.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/repair_plan.hpp"

int main(int argc, char** argv) try {
  using namespace xorloom;
  if (argc != 4) {
    fmt::print(stderr, "usage: xorloom_search_wisdom DIRECTORY SPEC avx2|avx512\n");
    return 2;
  }
  const Code code = make_code(argv[2]);
  PlanOptions options;
  options.wisdom = argv[1];
  options.isa = choose_isa(parse_isa(argv[3]));
  options.effort = Effort::kMax;
  if (!vector_machine(options.isa)) {
    fmt::print(stderr, "no machine code is written for {}\n", argv[3]);
    return 2;
  }
  for (const std::vector<std::size_t>& lost : {std::vector<std::size_t>{}, {0}}) {
    const LinearMap map = lost.empty() ? encoding_map(code) : in_memory_map(code, lost, lost);
    if (tuned_program(code, map, options).effort != Effort::kMax) {
      fmt::print(stderr, "{}: its equations are too long to be shared\n", argv[2]);
      return 1;
    }
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
