# What the processor that is built for needs of the build. XORLOOM_ATOMIC is the library of atomic operations, empty
# if the compiler has instructions for all of them; RISC-V has none for single bytes in gcc before 14.

if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  math(EXPR bits "8 * ${CMAKE_SIZEOF_VOID_P}")
  message(FATAL_ERROR "${CMAKE_SYSTEM_PROCESSOR} is a processor of ${bits} bits, or its compiler makes code of ${bits} "
                      "bits; Xorloom needs 64: sizes of files and chunks are pointer-sized numbers. Build for "
                      "x86_64, aarch64, riscv64, s390x or another processor of 64 bits")
endif()

include(CheckCXXSourceCompiles)
set(atomics
    "#include <atomic>
     #include <cstdint>
     std::atomic<std::uint8_t> byte;
     std::atomic<std::uint64_t> word;
     int main() { return byte.exchange(1) + int(word.fetch_add(1)) + byte.fetch_or(2); }")
check_cxx_source_compiles("${atomics}" XORLOOM_HAS_ATOMICS)
set(XORLOOM_ATOMIC "")
if(NOT XORLOOM_HAS_ATOMICS)
  set(CMAKE_REQUIRED_LIBRARIES atomic)
  check_cxx_source_compiles("${atomics}" XORLOOM_HAS_ATOMICS_IN_LIBATOMIC)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(NOT XORLOOM_HAS_ATOMICS_IN_LIBATOMIC)
    message(FATAL_ERROR "atomic operations on a byte do not link, with -latomic neither: install libatomic")
  endif()
  set(XORLOOM_ATOMIC atomic)
endif()
