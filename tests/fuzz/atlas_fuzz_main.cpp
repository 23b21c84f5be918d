#include <cstddef>
#include <cstdint>

#include "tests/fuzz/atlas_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  xorloom::test::fuzz_atlas({data, size});
  return 0;
}
