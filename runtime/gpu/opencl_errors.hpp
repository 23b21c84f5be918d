#pragma once

#include <string>

namespace xorloom {

/// The name of a result of OpenCL: "CL_OUT_OF_RESOURCES".
std::string opencl_error(int result);

/// Whether a device that gave such a result is of no more use. Where memory ran out, or a text
/// could not be compiled, later calls may succeed.
bool is_final(int result);

}  // namespace xorloom
