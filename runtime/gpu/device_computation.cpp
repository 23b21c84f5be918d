#include "runtime/gpu/device_computation.hpp"

#include <fmt/format.h>

#include <optional>

#include "codes/text/error.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/machine/last_error.hpp"

namespace xorloom {
namespace {

/// The program on one device, for acceptance: nothing stands in for a device that fails.
class Tried final : public Computation {
 public:
  Tried(const DeviceProgram& program, std::size_t device, const Computation& on_cpu)
      : Computation({.rows = on_cpu.facts().rows,
                     .column_multiple = on_cpu.facts().column_multiple,
                     .cost = on_cpu.cost(),
                     .counts = on_cpu.counts(),
                     // Some groups of work items, and some columns that do not fill one.
                     .sizes = {1024, 256, 1}}),
        program_(program),
        device_(device) {}

  /// Throws the error of the device, if it failed.
  void check_device() const {
    if (failed_) throw Error(*failed_);
  }

  std::size_t memory_bytes() const noexcept override { return 0; }

  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin, std::size_t end,
           Stores /*stores*/) const noexcept override try {
    if (!failed_) program_.run_on(device_, chunks, chunk_bytes, begin, end);
  } catch (const Error& error) {
    failed_ = error;
  } catch (...) {
    failed_ = Error(Status::kUnsupported, "memory ran out");
  }

 private:
  const DeviceProgram& program_;
  std::size_t device_;
  mutable std::optional<Error> failed_;
};

}  // namespace

void accept(const Code& code, const LinearMap& map, const DeviceProgram& program,
            const Computation& on_cpu) {
  for (std::size_t i = 0; i < program.num_devices(); ++i) {
    const Tried tried(program, i, on_cpu);
    try {
      accept(code, map, tried);
    } catch (const Error& error) {
      tried.check_device();  // why the bytes are wrong
      fail(error.kind(), fmt::format("on {}, {}", program.device(i).name(), error.what()));
    }
    tried.check_device();
  }
}

void log_device_failure(const char* why) noexcept try {
  log_once(Status::kIo, fmt::format("the processor computes what a device was asked for: {}", why));
} catch (...) {  // not enough memory for a sentence
  return;
}

void DeviceComputation::run(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t begin,
                            std::size_t end, Stores stores) const noexcept {
  all_ += end - begin;
  try {
    const Computation* const beside = executor_ == Executor::kHybrid ? on_cpu_.get() : nullptr;
    on_devices_ +=
        program_.run(chunks, chunk_bytes, begin, end, execution_.threads, beside, stores);
    return;
  } catch (const std::exception& error) {
    log_device_failure(error.what());
  }
  if (begin == 0 && end == columns(chunk_bytes)) {
    execute(*on_cpu_, nullptr, execution_, chunks, chunk_bytes, stores);
  } else {
    on_cpu_->run(chunks, chunk_bytes, begin, end, stores);
  }
}

std::size_t DeviceComputation::memory_bytes() const noexcept {
  return sizeof *this + on_cpu_->memory_bytes() + program_.text().source.size();
}

}  // namespace xorloom
