#include "gen/gpu/kernel_text.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/request/request.hpp"
#include "equations/search/optimize.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

using Sizes = std::vector<std::size_t>;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Over over_of(const Code& code) {
  return code.arrangement == Arrangement::kWord ? Over::kSymbols : Over::kBits;
}

KernelText encoder(const std::string& spec, const KernelOptions& options = {}) {
  const Code code = make_code(spec);
  return emit_kernel(code, {"encode", direct_encoding(code, {}, over_of(code))}, options);
}

std::string file(const std::string& spec, const KernelOptions& options) {
  const Code code = make_code(spec);
  const Sizes lost{0, code.locations - 1};
  const std::vector<NamedProgram> programs{
      {"encode", direct_encoding(code, {}, over_of(code))},
      {"decode", direct_decoding(code, lost, {}, {}, over_of(code))}};
  return emit_kernels(code, programs, options);
}

template <typename Call>
std::string refusal(Status kind, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the head of a kernel is what its callers are told") {
  const KernelText opencl = encoder("cauchy-good:k=4,m=2,w=4", {.name = "x"});
  CHECK(opencl.entry == "xl_x_encode");
  CHECK(has(opencl.source,
            "\n__kernel void xl_x_encode(\n"
            "    __global uchar *base, __constant ulong *at, ulong pitch, ulong columns) {\n"));
  CHECK(opencl.chunks == Sizes{0, 1, 2, 3, 4, 5});
  const KernelText cuda =
      encoder("cauchy-good:k=4,m=2,w=4", {.language = KernelLanguage::kCuda, .name = "x"});
  CHECK(has(cuda.source,
            "\nstruct xl_x_encode_places {\n"
            "  unsigned long long at[6];\n"
            "};\n\n"
            "extern \"C\" __global__ void __launch_bounds__(256)\n"
            "xl_x_encode(\n"
            "    unsigned char *base,\n"
            "    const struct xl_x_encode_places places,\n"
            "    unsigned long long pitch, unsigned long long columns) {\n"));
  CHECK(has(encoder("rs:k=4,m=2", {.form = KernelForm::kTables, .name = "x"}).source,
            "ulong columns,\n    __global const uchar *tables) {\n"));
}

TEST_CASE("the number of work items covers every column") {
  const KernelText packets = encoder("cauchy-good:k=4,m=2,w=4", {.vector_bytes = 8});
  CHECK(packets.items(0) == 0);
  CHECK(packets.items(64) == 8);
  CHECK(packets.items(65) == 9);
  const KernelText planes =
      encoder("rs:k=4,m=2", {.form = KernelForm::kBitSliced, .vector_bytes = 4});
  CHECK(planes.items(0) == 0);
  CHECK(planes.items(1) == 32);
  CHECK(planes.items(1024) == 32);
  CHECK(planes.items(1025) == 64);
}

TEST_CASE("the form and the vectors are chosen by the price") {
  CHECK(encoder("cauchy-good:k=10,m=4").form == KernelForm::kAccumulators);
  CHECK(encoder("cauchy-good:k=28,m=4").form == KernelForm::kAccumulators);
  CHECK(encoder("rs:k=10,m=4").form == KernelForm::kHorner);
  CHECK(encoder("leopard:k=8,m=4").form == KernelForm::kBitSliced);
  CHECK(encoder("rs:k=10,m=4", {.form = KernelForm::kBitSliced}).form == KernelForm::kBitSliced);
  for (const std::size_t vector_bytes : Sizes{4, 8}) {
    CHECK(encoder("rs:k=10,m=4", {.vector_bytes = vector_bytes}).vector_bytes == vector_bytes);
  }
}

TEST_CASE("files are the same each time, in lines of 80 columns") {
  for (const KernelLanguage language : {KernelLanguage::kOpencl, KernelLanguage::kCuda}) {
    for (const std::string spec : {"cauchy-good:k=4,m=2,w=4", "rs:k=4,m=2", "rs:k=3,m=2,w=16",
                                   "clay:k=4,m=2", "leopard:k=3,m=2,w=16"}) {
      for (const std::optional<KernelForm> form : std::vector<std::optional<KernelForm>>{
               {}, KernelForm::kIterative, KernelForm::kBitSliced}) {
        const bool in_packets = make_code(spec).arrangement == Arrangement::kPacket;
        if (form && in_packets != (form == KernelForm::kIterative)) continue;
        for (const std::size_t vector_bytes : Sizes{4, 8}) {
          const KernelOptions options{
              .language = language, .form = form, .vector_bytes = vector_bytes};
          const std::string text = file(spec, options);
          CHECK(text == file(spec, options));
          std::istringstream lines(text);
          for (std::string line; std::getline(lines, line);) {
            CAPTURE(line);
            CHECK(line.size() <= 80);
          }
        }
      }
    }
  }
}

TEST_CASE("the comment of a file says what kernels take, and that of each what it computes") {
  const std::string text = file("rs:k=4,m=2", {.vector_bytes = 8});
  CHECK(text.starts_with(
      "// Erasure coding over GF(2^8), generated by xorloom emit: kernels in OpenCL C"));
  CHECK(has(text, "\n//   columns      chunk_bytes\n"));
  CHECK(has(text, "\n// Computes chunks 0,5 from 1-4: "));
  CHECK(has(text,
            "\n// Form horner, vectors of 8 bytes. Places are of chunks 0-5. Work items:\n"
            "// columns / 8, rounded up.\n"));
}

TEST_CASE("shared sums of words are computed as they are, or on planes") {
  const Code code = make_code("clay:k=4,m=2");
  const Program program = optimize(searched_program(code, {.over = Over::kSymbols}));
  const KernelText kernel =
      emit_kernel(code, {"encode", program}, {.form = KernelForm::kHorner, .vector_bytes = 4});
  CHECK(has(kernel.source, "  xl_vec A = "));
}

TEST_CASE("what no kernel computes is refused") {
  const auto refused = [](Status kind, const std::string& spec, const KernelOptions& options) {
    return refusal(kind, [&] { (void)encoder(spec, options); });
  };
  using enum KernelForm;
  CHECK(refused(Status::kUnsupported, "rs:k=4,m=2", {.form = kAccumulators}) ==
        "rs:k=4,m=2,w=8 lies in words, which the form accumulators does not compute");
  CHECK(refused(Status::kUnsupported, "cauchy-good:k=4,m=2,w=4", {.form = kHorner}) ==
        "cauchy-good:k=4,m=2,w=4 lies in packets, which the form horner does not compute");
  CHECK(has(refused(Status::kUnsupported, "leopard:k=8,m=4", {.form = kHorner}),
            "are not doubled by shifts; the bit-sliced form computes it"));
  CHECK(refused(Status::kUnsupported, "rs:k=4,m=2,w=16", {.form = kTables}) ==
        "products are looked up for symbols of 8 bits, and rs:k=4,m=2,w=16 has symbols of 16");
  CHECK(refused(Status::kUnsupported, "rs:k=4,m=2",
                {.form = kTables, .tables = KernelTables::kFull}) ==
        "tables of 65536 bytes exceed the 32768 of local memory");
  CHECK(refused(Status::kInvalidArgument, "rs:k=4,m=2", {.vector_bytes = 16}) ==
        "vector_bytes = 16 is not 4 or 8");
  CHECK(has(refused(Status::kInvalidArgument, "rs:k=4,m=2", {.name = "a b"}), "name = 'a b'"));
  const Code words = make_code("rs:k=4,m=2");
  CHECK(has(refusal(Status::kInvalidArgument,
                    [&] {
                      (void)emit_kernel(words, {"encode", direct_encoding(words)});
                    }),
            "needs a program over its symbols"));
  CHECK(refusal(Status::kInvalidArgument, [&] { (void)emit_kernels(words, {}); }) ==
        "there is no program to write");
  CHECK(refusal(Status::kUnsupported, [] { (void)file("rs:k=4,m=2", {.form = kTables}); }) ==
        "the form tables is written for one program per file");
}

TEST_CASE("kernels of too many chunks or additions are refused") {
  CHECK(has(refusal(Status::kUnsupported, [] { (void)encoder("rs:k=500,m=2,w=16"); }),
            "a kernel takes 480 chunks at most, and these are 502"));
  CHECK(has(refusal(Status::kUnsupported, [] { (void)encoder("leopard:k=180,m=60"); }),
            "additions are more than the 65536 of a kernel"));
}

}  // namespace xorloom
