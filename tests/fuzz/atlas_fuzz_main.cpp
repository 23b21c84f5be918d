#include <cstddef>
#include <cstdint>

#include "tests/fuzz/atlas_fuzz.hpp"

// The name that libFuzzer calls. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  xorloom::test::fuzz_atlas({data, size});
  return 0;
}
