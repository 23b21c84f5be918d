#pragma once

#include <string>

#include "runtime/engine/plan_options.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// What `make` makes with the options. If it throws because machine code was refused and the engine
/// is `auto`, it is asked once more, for kernels. Machine code is refused if its schedule is not
/// proved, if it is not accepted, or if the system gives it no executable memory.
///
/// PlanOptions::refusals counts this, and `why`, if given, gets the sentence. What kernels do not
/// mend is thrown as ever.
template <typename Make>
auto with_code_or_kernels(const PlanOptions& options, const Make& make,
                          std::string* why = nullptr) {
  std::string refused;
  try {
    return make(options);
  } catch (const Error& error) {
    const bool may_be_code =
        error.kind() == Status::kInternal || error.kind() == Status::kUnsupported;
    if (options.engine != Engine::kAuto || !may_be_code) throw;
    refused = error.what();
  }
  PlanOptions by_kernels = options;
  by_kernels.engine = Engine::kKernels;
  auto made = make(by_kernels);
  if (options.refusals) options.refusals->fetch_add(1, std::memory_order_relaxed);
  if (why != nullptr) *why = refused;
  return made;
}

}  // namespace xorloom
