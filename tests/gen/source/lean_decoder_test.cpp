#include "gen/source/lean_decoder.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "codes/families/families.hpp"
#include "tests/support/has.hpp"
#include "tests/support/refusal.hpp"

namespace xorloom {
namespace {

using test::has;
using test::refusal;

}  // namespace

TEST_CASE("a code too large for a small machine is refused with its bytes and the bound") {
  CHECK(refusal(Status::kUnsupported,
                [] { (void)emit_lean_decoder(make_code("rs:k=400,m=400,w=16")); }) ==
        "a lean decoder of rs:k=400,m=400,w=16 takes 322504 bytes of state, more than 65536; "
        "functions for losses that are known before take none of them");
  CHECK(has(refusal(Status::kUnsupported,
                    [] { (void)emit_lean_decoder(make_code("rs:k=30000,m=60,w=16")); }),
            "bytes of tables, more than 1048576"));
  CHECK(refusal(Status::kInvalidArgument, [] {
          (void)emit_lean_decoder(make_code("rs:k=4,m=2"), "a b");
        }) == "name = 'a b' is not letters and digits with single underscores between them");
}

TEST_CASE("a lean decoder and its header are the same each time, in lines of 80 columns") {
  for (const std::string spec : {"rs:k=10,m=4,w=32", "cauchy-good:k=10,m=4", "clay:k=4,m=2",
                                 "leopard:k=5,m=3,w=8", "evenodd:k=5,p=5"}) {
    const Code code = make_code(spec);
    const std::string source = emit_lean_decoder(code);
    CHECK(source == emit_lean_decoder(code));
    const std::string header = emit_lean_decoder_header(code);
    std::istringstream lines(source + header);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
    std::istringstream declared(header);
    for (std::string line; std::getline(declared, line);) {
      if (line.starts_with("int ")) CHECK(has(source, "\n" + line + "\n"));
    }
  }
  // Bytes have no multiple that chunk_bytes might miss.
  CHECK(!has(emit_lean_decoder(make_code("rs:k=2,m=1")), "such multiple"));
  CHECK(has(emit_lean_decoder(make_code("cauchy-good:k=2,m=1")), "such multiple"));
  CHECK(has(emit_lean_decoder_header(make_code("rs:k=4,m=2"), "disk"),
            "\nint xl_disk_invert(const uint16_t lost[], size_t num_lost);\n"));
}

}  // namespace xorloom
