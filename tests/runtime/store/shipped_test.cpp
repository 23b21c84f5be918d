#include "runtime/store/store.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/cost.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/plans/plan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

/// Specs of the codes that scripts/make-library searches.
std::vector<std::string> shipped_specs() {
  std::ifstream file(XORLOOM_SHIPPED_CODES);
  std::vector<std::string> specs;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) specs.push_back(line);
  }
  return specs;
}

}  // namespace

TEST_CASE("Every byte that is shipped belongs to a whole record") {
  REQUIRE(shipped_specs().size() > 100);
  std::span<const std::uint8_t> left = shipped_records();
  std::size_t records = 0;
  while (const auto record = first_record(left)) {
    CHECK((machine_program_of(*record) || few_xors_of(*record)));
    left = left.subspan(record->bytes.size());
    ++records;
  }
  CHECK(left.empty());
  CHECK(records >= 2 * shipped_specs().size());
}

TEST_CASE("The common codes encode by programs that were searched before, and hold") {
  const TemporaryFolder none;
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512}) {
    if (!vector_machine(isa)) return;
    PlanOptions options;
    options.isa = isa;
    options.effort = Effort::kNormal;
    options.wisdom = none.path().string();
    for (const std::string& spec : shipped_specs()) {
      CAPTURE(spec);
      const Code code = make_code(spec);
      const OrderedProgram tuned = tuned_program(code, encoding_map(code), options);
      CHECK(tuned.is_known);
      CHECK(tuned.effort == Effort::kMax);
    }
  }
  CHECK(std::filesystem::is_empty(none.path()));
}

TEST_CASE("Kernels run the equations of few XORs that come with Xorloom, unless it is off") {
  const Code code = make_code("cauchy-good:k=10,m=4,w=8");
  PlanOptions options;
  options.isa = Isa::kPortable;
  options.wisdom = "";
  CHECK(xors(tuned_program(code, encoding_map(code), options).equations) == 326);
  options.wisdom = "off";
  CHECK(xors(tuned_program(code, encoding_map(code), options).equations) > 326);
}

}  // namespace xorloom
