#include "runtime/machine/executable_memory.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <ios>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/engine/program_code.hpp"
#include "tests/support/denied.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

/// A function that returns 42, where its code is known here.
#if defined(__x86_64__)
constexpr bool kHasAnswer = true;
const std::vector<std::uint8_t> kAnswer{0xb8, 42, 0, 0, 0, 0xc3};  // mov eax, 42; ret
#elif defined(__aarch64__)
constexpr bool kHasAnswer = true;
const std::vector<std::uint8_t> kAnswer{0x40, 0x05, 0x80, 0x52,   // mov w0, 42
                                        0xc0, 0x03, 0x5f, 0xd6};  // ret
#elif defined(__riscv)
constexpr bool kHasAnswer = true;
const std::vector<std::uint8_t> kAnswer{0x13, 0x05, 0xa0, 0x02,   // li a0, 42
                                        0x67, 0x80, 0x00, 0x00};  // ret
#else
constexpr bool kHasAnswer = false;
const std::vector<std::uint8_t> kAnswer{0};
#endif

int answer_of(const ExecutableMemory& memory) {
  return reinterpret_cast<int (*)()>(const_cast<void*>(memory.begin()))();
}

/// The permissions of the page at an address, such as "r-xp".
std::string permissions(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::string found;
    fields >> std::hex >> begin >> dash >> end >> found;
    if (begin <= wanted && wanted < end) return found;
  }
  return "not mapped";
}

/// Whether a codec encodes by machine code that is in such memory, and answers right. True where
/// codecs have no machine code.
bool encodes_from(CodeMemory memory) {
  if (!vector_machine(machine_isas().back())) return true;
  const Codec codec("cauchy-good:k=3,m=2,w=8", {.engine = Engine::kCode});
  if (codec.info().code_memory != memory) return false;
  const std::size_t bytes = codec.round_up(4096);
  const Stripe stripe(5, bytes, 3);
  if (codec.encode(stripe.chunks(), bytes) != Status::kOk) return false;
  Stripe broken = stripe;
  broken.lose(1);
  const std::vector<std::size_t> lost{1};
  return codec.decode(broken.chunks(), lost, bytes) == Status::kOk && broken == stripe;
}

constexpr int kYes = 0;
constexpr int kNo = 1;
constexpr int kNotSupported = 77;
int yes_if(bool condition) { return condition ? kYes : kNo; }

void check_child(int ended) {
  if (ended == kNotSupported) {
    MESSAGE("skipped: this kernel cannot deny that");
    return;
  }
  CHECK(ended == kYes);
}

}  // namespace

TEST_CASE("Machine code runs from a sealed file, and its pages are not writable") {
  if (!kHasAnswer) return;
  auto memory = ExecutableMemory::hold(kAnswer);
  REQUIRE(memory);
  CHECK(memory->kind() == CodeMemory::kSealedFile);
  CHECK(memory->bytes() == kAnswer.size());
  CHECK(answer_of(*memory) == 42);
  CHECK(permissions(memory->begin()) == "r-xp");
  const ExecutableMemory moved = *std::move(memory);
  CHECK(moved.kind() == CodeMemory::kSealedFile);
  CHECK(answer_of(moved) == 42);
  CHECK(encodes_from(CodeMemory::kSealedFile));
}

TEST_CASE("No code needs no memory") { CHECK(!ExecutableMemory::hold({})); }

TEST_CASE("A sealed file serves where written pages may not become executable") {
  if (!kHasAnswer) return;
  check_child(in_child([] {
    if (!deny_execution_of_written_pages()) return kNotSupported;
    const auto memory = ExecutableMemory::hold(kAnswer);
    return yes_if(memory && answer_of(*memory) == 42 && encodes_from(CodeMemory::kSealedFile));
  }));
}

TEST_CASE("Own pages serve where there are no files in memory") {
  if (!kHasAnswer) return;
  check_child(in_child([] {
    if (!deny_files_in_memory()) return kNotSupported;
    const auto memory = ExecutableMemory::hold(kAnswer);
    return yes_if(memory && answer_of(*memory) == 42 && permissions(memory->begin()) == "r-xp" &&
                  encodes_from(CodeMemory::kOwnPages));
  }));
}

TEST_CASE("There is no memory where neither is allowed") {
  check_child(in_child([] {
    if (!deny_executable_memory()) return kNotSupported;
    return yes_if(!ExecutableMemory::hold(kAnswer));
  }));
  check_child(in_child([] {
    if (!deny_execution_of_written_pages() || !deny_files_in_memory()) return kNotSupported;
    return yes_if(!ExecutableMemory::hold(kAnswer));
  }));
}

}  // namespace xorloom
