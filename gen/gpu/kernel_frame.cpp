#include "gen/gpu/kernel_frame.hpp"

#include <fmt/format.h>

namespace xorloom {
namespace {

constexpr const char* kOpenclPrelude =
    "typedef ulong xl_size;\n"
    "#define XL_MEMORY __global\n"
    "#define XL_FUNCTION static inline\n"
    "#define xl_item() get_global_id(0)\n";

constexpr const char* kCudaPrelude =
    "typedef unsigned long long xl_size;\n"
    "#define XL_MEMORY\n"
    "#define XL_FUNCTION static __device__ __forceinline__\n"
    "#define xl_item() ((xl_size)blockIdx.x * blockDim.x + threadIdx.x)\n";

/// Before the prelude of CUDA: what its compiler knows by itself.
constexpr const char* kHostPrelude =
    "struct xl_index { unsigned int x; };\n"
    "static thread_local xl_index blockIdx, blockDim, threadIdx;\n"
    "#define __global__\n"
    "#define __device__\n"
    "#define __constant__\n"
    "#define __forceinline__ inline\n"
    "#define __launch_bounds__(threads)\n";

/// Vectors are read from bytes, which compilers for a processor have to be told.
const char* alias_word(KernelLanguage language) {
  return language == KernelLanguage::kHost ? "__attribute__((may_alias)) " : "";
}

const char* vector_type(KernelLanguage language, std::size_t bytes) {
  if (language == KernelLanguage::kOpencl) return bytes == 4 ? "uint" : "ulong";
  return bytes == 4 ? "unsigned int" : "unsigned long long";
}

std::string head(KernelLanguage language, const KernelText& kernel) {
  const bool has_tables = !kernel.tables.empty();
  if (language == KernelLanguage::kOpencl) {
    return fmt::format(
        "__kernel void {}(\n"
        "    __global uchar *base, __constant ulong *at, ulong pitch, ulong columns{}) {{\n",
        kernel.entry, has_tables ? ",\n    XL_TABLE_ARGUMENT uchar *tables" : "");
  }
  return fmt::format(
      "struct {0}_places {{ unsigned long long at[{1}]; }};\n\n"
      "extern \"C\" __global__ void __launch_bounds__({2}) {0}(\n"
      "    unsigned char *base, const struct {0}_places places,\n"
      "    unsigned long long pitch, unsigned long long columns{3}) {{\n"
      "  const unsigned long long *const at = places.at;\n",
      kernel.entry, kernel.chunks.size(), kKernelGroup,
      has_tables ? ",\n    const unsigned char *tables" : "");
}

/// A function that runs a kernel on a processor, one work item after the other.
std::string host_loop(const KernelText& kernel) {
  const bool has_tables = !kernel.tables.empty();
  const std::size_t share = kernel.item_columns * kernel.team;
  return fmt::format(
      "\nextern \"C\" void {0}_run(\n"
      "    unsigned char *base, const unsigned long long *at,\n"
      "    unsigned long long pitch, unsigned long long columns{1});\n"
      "extern \"C\" void {0}_run(\n"
      "    unsigned char *base, const unsigned long long *at,\n"
      "    unsigned long long pitch, unsigned long long columns{1}) {{\n"
      "  struct {0}_places places;\n"
      "  for (int i = 0; i < {2}; ++i) places.at[i] = at[i];\n"
      "  const xl_size items = (columns + {3}) / {4} * {5};\n"
      "  blockDim.x = {6};\n"
      "  for (xl_size item = 0; item < items; ++item) {{\n"
      "    blockIdx.x = (unsigned int)(item / blockDim.x);\n"
      "    threadIdx.x = (unsigned int)(item % blockDim.x);\n"
      "    {0}(base, places, pitch, columns{7});\n"
      "  }}\n"
      "}}\n",
      kernel.entry, has_tables ? ",\n    const unsigned char *tables" : "", kernel.chunks.size(),
      share - 1, share, kernel.team, kKernelGroup, has_tables ? ", tables" : "");
}

}  // namespace

std::string write_prelude(KernelLanguage language, std::size_t vector_bytes) {
  std::string text;
  if (language == KernelLanguage::kHost) text += kHostPrelude;
  text += language == KernelLanguage::kOpencl ? kOpenclPrelude : kCudaPrelude;
  text += fmt::format("typedef {} {}xl_vec;\n\n", vector_type(language, vector_bytes),
                      alias_word(language));
  return text;
}

std::string write_kernel(KernelLanguage language, const KernelText& kernel,
                         const std::string& lines) {
  std::string text = head(language, kernel) + lines + "}\n";
  if (language == KernelLanguage::kHost) text += host_loop(kernel);
  return text;
}

}  // namespace xorloom
