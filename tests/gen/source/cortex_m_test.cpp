#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/oracle.hpp"
#include "gen/source/lean_decoder.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/hardware_tools.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/temporary_folder.hpp"

// Lean decoders on a Cortex-M3 with 64 KiB of memory, which qemu emulates.

namespace xorloom {
namespace {

/// Memory map of the board lm3s6965evb.
constexpr const char* kLinkerScript = R"(ENTRY(reset)
MEMORY {
  flash (rx) : ORIGIN = 0x00000000, LENGTH = 256K
  ram (rwx) : ORIGIN = 0x20000000, LENGTH = 64K
}
SECTIONS {
  .text : { KEEP(*(.vectors)) *(.text*) *(.rodata*) } > flash
  .bss (NOLOAD) : { *(.bss*) *(COMMON) } > ram
}
)";

/// Loses each set of chunks, the encoded stripe being `whole`. It exits by semihosting, with 0 if
/// each set of at most M was given back, and none of more.
constexpr const char* kBoardProgram = R"(#include <stddef.h>
#include <stdint.h>

int xl_t_invert(const uint16_t lost[], size_t num_lost);
int xl_t_recover(uint8_t *const chunks[], size_t chunk_bytes);
int main(void);
void reset(void);

static uint8_t chunk[N][BYTES];

static void end(unsigned reason) {
  register unsigned r0 __asm("r0") = 0x18;
  register unsigned r1 __asm("r1") = reason;
  __asm volatile("bkpt 0xab" : : "r"(r0), "r"(r1) : "memory");
  for (;;) {
  }
}

void reset(void) { end(main() == 0 ? 0x20026u : 0x20023u); }

__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))0x20010000, reset};

int main(void) {
  uint8_t *chunks[N];
  for (unsigned i = 0; i < N; ++i) chunks[i] = chunk[i];
  for (unsigned mask = 0; mask < 1u << N; ++mask) {
    uint16_t lost[N];
    unsigned num_lost = 0;
    int status;
    for (unsigned i = 0; i < N; ++i) {
      const int is_lost = (mask >> i & 1) != 0;
      if (is_lost) lost[num_lost++] = (uint16_t)i;
      for (unsigned at = 0; at < BYTES; ++at) chunk[i][at] = is_lost ? 0xee : whole[i][at];
    }
    status = xl_t_invert(lost, num_lost);
    if (status != (num_lost <= M ? 0 : 2)) return 1;
    if (status != 0) continue;
    if (xl_t_recover(chunks, BYTES) != 0) return 1;
    for (unsigned i = 0; i < N; ++i) {
      for (unsigned at = 0; at < BYTES; ++at) {
        if (chunk[i][at] != whole[i][at]) return 1;
      }
    }
  }
  return 0;
}
)";

/// Writes, links without any library, and runs the decoder of a code whose chunks all survive any m
/// losses. `flip` is added to a byte of the stripe that is compared with. Returns what the tools
/// say.
std::string run_on_board(const std::string& spec, unsigned flip) {
  const Code code = make_code(spec);
  const TemporaryFolder folder;
  Stripe stripe(code.locations, 2 * chunk_multiple(code) * (code.field.w() > 8 ? 4 : 1), 5);
  oracle(code, encoding_map(code), stripe.chunks(), stripe.chunk_bytes());
  stripe.chunk(code.locations - 1)[0] ^= static_cast<std::uint8_t>(flip);
  std::string program = fmt::format(
      "#include <stdint.h>\nenum {{ N = {}, M = {}, BYTES = {} }};\n"
      "static const uint8_t whole[N][BYTES] = {{\n",
      code.locations, code.m, stripe.chunk_bytes());
  for (std::size_t i = 0; i < code.locations; ++i) {
    program += fmt::format("{{{}}},\n", fmt::join(stripe.chunk(i), ", "));
  }
  folder.write("main.c", program + "};\n" + kBoardProgram);
  folder.write("decoder.c", emit_lean_decoder(code, "t"));
  folder.write("board.ld", kLinkerScript);
  const std::string build =
      "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c99 -Os -fno-tree-loop-distribute-patterns "
      "-nostdlib -Wl,-T,board.ld -Wl,--no-warn-rwx-segments -o board.elf main.c decoder.c";
  return complaint_of(folder, build +
                                  " && timeout 120 qemu-system-arm -M lm3s6965evb -nographic "
                                  "-monitor none -serial none -semihosting-config "
                                  "enable=on,target=native -kernel board.elf");
}

}  // namespace

TEST_CASE("a Cortex-M3 inverts and recovers every loss of codes on words, packets and bits") {
  SKIP_WITHOUT_TOOL("arm-none-eabi-gcc");
  SKIP_WITHOUT_TOOL("qemu-system-arm");
  for (const std::string spec :
       {"rs:k=4,m=2", "rs:k=10,m=4", "rs:k=4,m=3,w=16", "cauchy-good:k=4,m=2,w=4,packet_bytes=8",
        "evenodd:k=5,p=5,packet_bytes=8", "clay:k=4,m=2"}) {
    CAPTURE(spec);
    CHECK(run_on_board(spec, 0) == "");
  }
}

TEST_CASE("the board tells a wrong byte") {
  SKIP_WITHOUT_TOOL("arm-none-eabi-gcc");
  SKIP_WITHOUT_TOOL("qemu-system-arm");
  CHECK(run_on_board("rs:k=4,m=2", 1) != "");
}

}  // namespace xorloom
