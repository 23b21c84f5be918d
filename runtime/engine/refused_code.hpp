#pragma once

#include <string>

#include "runtime/engine/plan_options.hpp"
#include "runtime/machine/last_error.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// What `make` makes with the options. If it throws because machine code was refused and the engine
/// is `auto`, it is asked once more, for kernels. Machine code is refused if its schedule is not
/// proved, if it is not accepted, or if the system gives it no executable memory.
///
/// PlanOptions::refusals counts this. The function of set_log() hears the sentence, and `why`, if
/// given, gets it. What kernels do not mend is thrown as ever.
template <typename Make>
auto with_code_or_kernels(const PlanOptions& options, const Make& make,
                          std::string* why = nullptr) {
  std::string refused;
  Status kind{};
  try {
    return make(options);
  } catch (const Error& error) {
    kind = error.kind();
    const bool may_be_code = kind == Status::kInternal || kind == Status::kUnsupported;
    if (options.engine != Engine::kAuto || !may_be_code) throw;
    refused = error.what();
  }
  PlanOptions by_kernels = options;
  by_kernels.engine = Engine::kKernels;
  auto made = make(by_kernels);
  if (options.refusals) options.refusals->fetch_add(1, std::memory_order_relaxed);
  log_once(kind, "slower kernels run, since machine code was refused: " + refused);
  if (why != nullptr) *why = refused;
  return made;
}

}  // namespace xorloom
