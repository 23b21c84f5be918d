#include "bench/gpu/device_work.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "runtime/gpu/kernel_cache.hpp"

namespace xorloom::gpu_bench {
namespace {

constexpr std::size_t kAlignment = 256;

KernelOptions for_device(KernelOptions options, const Device& device) {
  options.language = device.language();
  return options;
}

/// The locations of elements, ascending, each once.
std::vector<std::size_t> locations_of(const std::vector<Element>& elements, std::size_t rows) {
  std::set<std::size_t> locations;
  for (const Element element : elements) locations.insert(element / rows);
  return {locations.begin(), locations.end()};
}

}  // namespace

DeviceWork::DeviceWork(std::shared_ptr<const Device> device, const Code& code,
                       const Program& program, std::size_t chunk_bytes, std::size_t bytes_at_least,
                       const KernelOptions& options)
    : device_(std::move(device)),
      text_(emit_kernel(code, {"run", program}, for_device(options, *device_))),
      kernel_(loaded_kernel(device_, text_, KernelFiles::kUsers)),
      chunk_bytes_(chunk_bytes),
      pitch_((chunk_bytes + kAlignment - 1) / kAlignment * kAlignment),
      locations_(std::max(code.locations, program.locations)),
      rows_(program.rows),
      tables_bytes_((text_.tables.size() + kAlignment - 1) / kAlignment * kAlignment),
      num_stripes_((bytes_at_least + locations_ * pitch_ - 1) / (locations_ * pitch_)),
      reads_(locations_of(program.inputs, program.rows)),
      writes_(locations_of(program.outputs, program.rows)) {
  num_stripes_ = std::max<std::size_t>(num_stripes_, 1);
  lane_ = device_->make_lane(tables_bytes_ + num_stripes_ * locations_ * pitch_);
  if (text_.tables.empty()) return;
  std::ranges::copy(text_.tables, lane_->host());
  lane_->copy_in(0, lane_->host(), text_.tables.size());
  lane_->finish();
}

std::size_t DeviceWork::place(std::size_t stripe, std::size_t location) const {
  return tables_bytes_ + (stripe * locations_ + location) * pitch_;
}

std::uint8_t* DeviceWork::host(std::size_t stripe, std::size_t location) const {
  return lane_->host() + place(stripe, location);
}

void DeviceWork::copy_in(std::size_t stripe) {
  for (const std::size_t l : reads_)
    lane_->copy_in(place(stripe, l), host(stripe, l), chunk_bytes_);
}

void DeviceWork::copy_out(std::size_t stripe) {
  for (const std::size_t l : writes_) {
    lane_->copy_out(host(stripe, l), place(stripe, l), chunk_bytes_);
  }
}

void DeviceWork::launch_items(std::size_t stripe, std::uint64_t columns, std::uint64_t items) {
  std::vector<std::uint64_t> places;
  for (const std::size_t l : text_.chunks) places.push_back(place(stripe, l));
  lane_->launch({*kernel_, places, chunk_bytes_ / rows_, columns, items, !text_.tables.empty()});
}

void DeviceWork::launch(std::size_t stripe) {
  const std::uint64_t columns = chunk_bytes_ / rows_;
  launch_items(stripe, columns, text_.items(columns));
}

void DeviceWork::launch_groups(std::size_t stripe, std::size_t groups) {
  const std::uint64_t columns = chunk_bytes_ / rows_;
  const std::uint64_t all = text_.items(columns);
  launch_items(stripe, columns, std::min<std::uint64_t>(all, groups * kKernelGroup));
}

std::size_t DeviceWork::num_groups() const {
  return static_cast<std::size_t>(text_.items(chunk_bytes_ / rows_) + kKernelGroup - 1) /
         kKernelGroup;
}

std::size_t DeviceWork::bytes_of_groups(std::size_t groups) const {
  const std::size_t columns = groups * kKernelGroup * text_.item_columns;
  return std::min(chunk_bytes_, columns * rows_);
}

}  // namespace xorloom::gpu_bench
