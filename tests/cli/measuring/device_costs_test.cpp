#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "codes/text/json.hpp"
#include "runtime/plans/machine_rates.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

using test::Outcome;
using test::shell;
using test::widest_line;

/// Whether a text has a part, however its lines are broken.
bool says(const Outcome& outcome, const std::string& part) {
  std::string text;
  std::istringstream words(outcome.out);
  for (std::string word; words >> word;) text += word + " ";
  return text.find(part) != std::string::npos;
}

/// A machine whose core was measured: an instruction takes that long.
MachineRates measured_core(double instruction) {
  MachineRates rates = kept_rates();
  rates.rates.clear();
  rates.devices.clear();
  for (const Arrangement arrangement : {Arrangement::kPacket, Arrangement::kWord}) {
    MachineRates::Of of{choose_isa({}),
                        arrangement,
                        {instruction, 1e-12, 1e-12, 1e-12, {}, 1e-8, 1e-9, 4},
                        {0.1, 0.1}};
    for (MovingCosts& level : of.costs.moving) level = {1e-12, 1e-12, 0};
    rates.rates.push_back(of);
  }
  return rates;
}

/// A cache directory with rates, and the program in it, with tests/runtime/gpu/fake_cuda.cpp as the
/// driver of CUDA. Large launches are cut short: of what they compute while they are timed, nothing
/// is read.
class Scene {
 public:
  explicit Scene(const MachineRates& rates) {
    std::filesystem::create_directories(folder_.path() / "xorloom");
    keep(rates);
  }

  std::string path() const { return folder_.path() / "xorloom" / "machine.json"; }
  void keep(const MachineRates& rates) const { test::write_file(path(), rates_json(rates).dump()); }
  MachineRates kept() const { return rates_of_text(test::read_file(path())); }

  Outcome explain(const std::string& options) const {
    return shell("XDG_CACHE_HOME='" + folder_.path().string() +
                     "' LD_LIBRARY_PATH='" XORLOOM_FAKE_CUDA
                     "' XORLOOM_FAKE_CUDA_GROUPS=32 \"$xorloom\" bench rs:k=3,m=2 --chunk-bytes "
                     "1024,65536 --explain " +
                     options,
                 folder_.path());
  }

 private:
  TemporaryFolder folder_;
};

TEST_CASE("Devices are measured once, and auto is told of them") {
  SKIP_WITHOUT_COMPILERS(compilers());
  const Scene scene(measured_core(1e-10));
  const Outcome unknown = scene.explain("");
  CHECK(unknown.status == 0);
  CHECK(!says(unknown, "fake GPU"));
  const Outcome measured = scene.explain("--executor cuda");
  CHECK(measured.status == 0);
  CHECK(measured.err == "");
  CHECK(widest_line(measured.out) <= 80);
  CHECK(
      measured.out.find("executor  cuda on fake GPU 0 (CUDA 13000, sm_90), set by --executor\n") !=
      std::string::npos);
  CHECK(says(measured, "cuda: encoding by that executor, with chunks in ordinary memory"));
  const MachineRates kept = scene.kept();
  REQUIRE(kept.devices.size() == 1);
  CHECK(kept.devices[0].devices == "fake GPU 0 (CUDA 13000, sm_90)");
  CHECK(kept.rates.size() == 2);
  CHECK(scene.explain("--executor cuda").out == measured.out);
  CHECK(scene.kept().devices == kept.devices);

  const Outcome slower = scene.explain("");
  CHECK(slower.status == 0);
  CHECK(widest_line(slower.out) <= 80);
  CHECK(says(slower, "fake GPU 0 (CUDA 13000, sm_90) encodes where"));
  CHECK(says(slower, "for none of the sizes below"));
  MachineRates with_devices = measured_core(1);
  with_devices.devices = kept.devices;
  scene.keep(with_devices);
  CHECK(says(scene.explain(""), "which it is for chunks of 1024, 65536 bytes"));
  const Json all = Json::parse(scene.explain("--format json").out);
  const Json& json = *all["codes"].begin();
  CHECK(json["devices"]["executor"].text() == "cuda");
  CHECK(json["devices"]["devices"].text() == kept.devices[0].devices);
  for (const Json& size : json["sizes"]) {
    CHECK(size["is_on_devices"].dump() == "true");
    CHECK(size["predicted_by_executor_gb_per_s"].real() > 0);
  }

  // Costs of another driver are measured anew, and replaced.
  with_devices.devices[0].devices = "fake GPU 0 (CUDA 12000, sm_90)";
  scene.keep(with_devices);
  CHECK(scene.explain("--executor cuda").status == 0);
  REQUIRE(scene.kept().devices.size() == 1);
  CHECK(scene.kept().devices[0].devices == kept.devices[0].devices);
}

TEST_CASE("What devices take is not asked for where there are none") {
  const Scene scene(measured_core(1e-10));
  const Outcome outcome = shell(
      "OCL_ICD_VENDORS=/dev/null \"$xorloom\" bench rs:k=3,m=2 "
      "--explain --executor opencl",
      std::filesystem::temp_directory_path());
  CHECK(outcome.status == 2);
  CHECK(outcome.out == "");
  CHECK(outcome.err.starts_with("xorloom: error: --executor = opencl: "));
  // Nor does a command begin that might need no plan.
  for (const char* call : {"decode none -o x", "verify none", "repair none", "protect . -o x"}) {
    CAPTURE(call);
    const Outcome refused =
        shell(std::string("OCL_ICD_VENDORS=/dev/null \"$xorloom\" ") + call + " --executor opencl",
              std::filesystem::temp_directory_path());
    CHECK(refused.status == 2);
    CHECK(refused.err.starts_with("xorloom: error: --executor = opencl: "));
  }
}

}  // namespace
}  // namespace xorloom
