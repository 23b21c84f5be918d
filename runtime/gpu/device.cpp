#include "runtime/gpu/device.hpp"

#include <unistd.h>

#include <utility>

namespace xorloom {

Device::Device(std::string name, std::string driver, KernelLanguage language)
    : name_(std::move(name)), driver_(std::move(driver)), language_(language), process_(getpid()) {}

bool Device::is_lost() const { return is_lost_ || getpid() != process_; }

}  // namespace xorloom
