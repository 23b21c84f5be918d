#include "runtime/engine/plan_options.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/plans/plan_explanation.hpp"
#include "tests/support/denied.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

PlanOptions counting(Engine engine) {
  PlanOptions options;
  options.engine = engine;
  options.refusals = std::make_shared<std::atomic<std::uint64_t>>(0);
  return options;
}

/// Is refused unless it is asked for kernels.
auto refusing(Status kind) {
  return [kind](const PlanOptions& how) {
    if (how.engine != Engine::kKernels) fail(kind, "no machine code here");
    return 17;
  };
}

enum Answer : int { kAsExpected = 0, kNotSupported = 77, kOtherwise = 1 };

/// Collects the sentences that are given to the function of set_log().
struct Heard {
  std::vector<std::string> sentences{};
  static void note(const char* sentence, void* context) {
    static_cast<Heard*>(context)->sentences.emplace_back(sentence);
  }
};

/// A process that may have no executable memory any more encodes, decodes and explains.
Answer without_executable_memory() {
  if (!deny_executable_memory()) return kNotSupported;
  Heard heard;
  set_log(Heard::note, &heard);
  const char* const spec = "cauchy-good:k=3,m=2,w=8";
  const Codec codec(spec, {.effort = Effort::kFast});
  const std::size_t bytes = codec.round_up(4096);
  const Stripe stripe(5, bytes, 3);
  if (codec.encode(stripe.chunks(), bytes) != Status::kOk) return kOtherwise;
  if (codec.plan_counts().code_refused != 1) return kOtherwise;
  if (codec.info().code_memory != CodeMemory::kNoCode) return kOtherwise;
  Stripe broken = stripe;
  broken.lose(1);
  const std::vector<std::size_t> lost{1};
  if (codec.decode(broken.chunks(), lost, bytes) != Status::kOk) return kOtherwise;
  if (codec.plan_counts().code_refused != 2 || !(broken == stripe)) return kOtherwise;
  const std::string sentence = "machine code was refused: the system gives no executable memory";
  if (heard.sentences.size() != 1) return kOtherwise;
  if (heard.sentences[0].find(sentence) == std::string::npos) return kOtherwise;
  const Code code = make_code(spec);
  const std::string why = explanation_of(code, encoding_map(code), plan_options({})).why_kernels;
  if (!why.starts_with(sentence)) return kOtherwise;
  try {
    const Codec with_code(spec, {.engine = Engine::kCode});
  } catch (const Error& error) {
    return error.kind() == Status::kUnsupported ? kAsExpected : kOtherwise;
  }
  return kOtherwise;
}

}  // namespace

TEST_CASE("Where machine code is refused, auto takes kernels and counts that") {
  for (const Status kind : {Status::kInternal, Status::kUnsupported}) {
    const PlanOptions options = counting(Engine::kAuto);
    std::string why;
    CHECK(with_code_or_kernels(options, refusing(kind), &why) == 17);
    CHECK(options.refusals->load() == 1);
    CHECK(why == "no machine code here");
  }
}

TEST_CASE("What is asked for by name, is damaged, or fails with kernels too is thrown") {
  PlanOptions options = counting(Engine::kCode);
  CHECK_THROWS_AS(with_code_or_kernels(options, refusing(Status::kInternal)), Error);
  CHECK(options.refusals->load() == 0);
  options = counting(Engine::kAuto);
  CHECK_THROWS_AS(with_code_or_kernels(options, refusing(Status::kDamaged)), Error);
  const auto never = [](const PlanOptions&) -> int { fail(Status::kInternal, "never"); };
  CHECK_THROWS_AS(with_code_or_kernels(options, never), Error);
  CHECK(options.refusals->load() == 0);
}

TEST_CASE("Machine code that was made and accepted is not counted as refused") {
  const Codec codec("cauchy-good:k=3,m=2,w=8");
  CHECK(codec.plan_counts().code_refused == 0);
}

TEST_CASE("Without executable memory kernels run, and asking for machine code is an error") {
  if (!vector_machine(machine_isas().back())) return;
  const int ended = in_child(without_executable_memory);
  if (ended == kNotSupported) {
    MESSAGE("skipped: this kernel does not deny executable memory");
    return;
  }
  CHECK(ended == kAsExpected);
}

TEST_CASE("The log hears each kind of refusal once, from set_log to set_log") {
  Heard heard;
  set_log(Heard::note, &heard);
  for (int i = 0; i < 3; ++i) {
    with_code_or_kernels(counting(Engine::kAuto), refusing(Status::kUnsupported));
    with_code_or_kernels(counting(Engine::kAuto), refusing(Status::kInternal));
  }
  CHECK(heard.sentences.size() == 2);
  CHECK(heard.sentences.front() ==
        "slower kernels run, since machine code was refused: no machine code here");
  set_log(Heard::note, &heard);
  with_code_or_kernels(counting(Engine::kAuto), refusing(Status::kInternal));
  CHECK(heard.sentences.size() == 3);
  set_log(nullptr, nullptr);
  with_code_or_kernels(counting(Engine::kAuto), refusing(Status::kUnsupported));
  CHECK(heard.sentences.size() == 3);
}

}  // namespace xorloom
