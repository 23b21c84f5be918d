#include "gen/gpu/kernel_frame.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "gen/text/code_comment.hpp"
#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

/// A word of kernels, and its definition in each language. In the texts $ stands for the constraint
/// of a vector in assembly.
struct Word {
  const char* name;
  const char* opencl;
  const char* cuda;
  const char* host;  ///< null: as in CUDA
};
constexpr std::array kWords = {
    Word{"xl_size", "typedef ulong xl_size;\n", "typedef unsigned long long xl_size;\n", nullptr},
    Word{"XL_MEMORY", "#define XL_MEMORY __global\n", "#define XL_MEMORY\n", nullptr},
    Word{"XL_FUNCTION", "#define XL_FUNCTION static inline\n",
         "#define XL_FUNCTION static __device__ __forceinline__\n", nullptr},
    Word{"xl_item()", "#define xl_item() get_global_id(0)\n",
         "#define xl_item() ((xl_size)blockIdx.x * blockDim.x + threadIdx.x)\n", nullptr},
    Word{"xl_in_order()", "#define xl_in_order()\n",
         "// No load is moved before this: all at once take too many registers.\n"
         "#define xl_in_order() __syncwarp()\n",
         nullptr},
    Word{"xl_opaque(", "#define xl_opaque(value)\n",
         "// How a value came about is not looked at, with the same aim.\n"
         "#define xl_opaque(value) asm volatile(\"\" : \"+$\"(value))\n",
         "#define xl_opaque(value)\n"},
    Word{"XL_CONSTANT", "#define XL_CONSTANT __constant\n", "#define XL_CONSTANT\n", nullptr},
    Word{"XL_CONSTANT_ARRAY", "#define XL_CONSTANT_ARRAY __constant const\n",
         "#define XL_CONSTANT_ARRAY static __constant__ const\n", nullptr},
    Word{"XL_LOCAL", "#define XL_LOCAL __local\n", "#define XL_LOCAL\n", nullptr},
    Word{"XL_LOCAL_ARRAY", "#define XL_LOCAL_ARRAY __local\n",
         "#define XL_LOCAL_ARRAY __shared__\n", nullptr},
    Word{"xl_local_item()", "#define xl_local_item() ((uint)get_local_id(0))\n",
         "#define xl_local_item() threadIdx.x\n", "#define xl_local_item() 0\n"},
    Word{"xl_local_items()", "#define xl_local_items() ((uint)get_local_size(0))\n",
         "#define xl_local_items() blockDim.x\n", "#define xl_local_items() 1\n"},
    Word{"xl_group_barrier()", "#define xl_group_barrier() barrier(CLK_LOCAL_MEM_FENCE)\n",
         "#define xl_group_barrier() __syncthreads()\n", "#define xl_group_barrier()\n"},
    Word{"xl_log", "typedef ushort xl_log;\n", "typedef unsigned short xl_log;\n",
         "typedef unsigned short __attribute__((may_alias)) xl_log;\n"},
};

/// Definitions for a processor that compilers for CUDA have built in.
constexpr const char* kHostPrelude =
    "struct xl_index { unsigned int x; };\n"
    "static thread_local xl_index blockIdx, blockDim, threadIdx;\n"
    "#define __global__\n"
    "#define __device__\n"
    "#define __constant__\n"
    "#define __shared__ static\n"
    "#define __forceinline__ inline\n"
    "#define __launch_bounds__(threads)\n"
    "#define __syncwarp()\n";

/// A language, and its types of vectors of 4 and 8 bytes. Vectors alias bytes, which compilers for
/// a processor have to be told.
struct LanguageFacts {
  const char* name;
  const char* word;
  const char* long_word;
};

/// Indexed by KernelLanguage.
constexpr std::array kLanguageFacts = {
    LanguageFacts{"OpenCL C 1.2", "uint", "ulong"},
    LanguageFacts{"CUDA C++", "unsigned int", "unsigned long long"},
    LanguageFacts{"C++17 for a processor", "unsigned int __attribute__((may_alias))",
                  "unsigned long long __attribute__((may_alias))"}};

const LanguageFacts& facts_of(KernelLanguage language) {
  return kLanguageFacts[static_cast<std::size_t>(language)];
}

/// Defines xl_xor3: one instruction of a GPU, which compilers for CUDA split if it is written as
/// two XORs.
std::string three_way_xor(KernelLanguage language, std::size_t vector_bytes) {
  const std::string begin = "XL_FUNCTION xl_vec xl_xor3(xl_vec a, xl_vec b, xl_vec c) {\n";
  if (language != KernelLanguage::kCuda) return begin + "  return a ^ b ^ c;\n}\n\n";
  std::string part = fmt::format(
      "{} unsigned int xl_xor3{}(\n"
      "    unsigned int a, unsigned int b, unsigned int c) {{\n"
      "  unsigned int sum;\n"
      "  asm(\"lop3.b32 %0, %1, %2, %3, 0x96;\"\n"
      "      : \"=r\"(sum) : \"r\"(a), \"r\"(b), \"r\"(c));\n"
      "  return sum;\n"
      "}}\n\n",
      "XL_FUNCTION", vector_bytes == 4 ? "" : "_half");
  if (vector_bytes == 4) return part;
  return part + begin +
         "  const unsigned int low =\n"
         "      xl_xor3_half((unsigned int)a, (unsigned int)b, (unsigned int)c);\n"
         "  a >>= 32;\n"
         "  b >>= 32;\n"
         "  c >>= 32;\n"
         "  const unsigned int high =\n"
         "      xl_xor3_half((unsigned int)a, (unsigned int)b, (unsigned int)c);\n"
         "  return (xl_vec)high << 32 | low;\n"
         "}\n\n";
}

std::string head(KernelLanguage language, const KernelText& kernel) {
  const bool has_tables = !kernel.tables.empty();
  if (language == KernelLanguage::kOpencl) {
    return fmt::format(
        "__kernel void {}(\n"
        "    __global uchar *base, __constant ulong *at, ulong pitch, ulong columns{}) {{\n",
        kernel.entry, has_tables ? ",\n    __global const uchar *tables" : "");
  }
  return fmt::format(
      "struct {0}_places {{\n"
      "  unsigned long long at[{1}];\n"
      "}};\n\n"
      "extern \"C\" __global__ void __launch_bounds__({2})\n"
      "{0}(\n"
      "    unsigned char *base,\n"
      "    const struct {0}_places places,\n"
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

std::string write_file_comment(const Code& code, KernelLanguage language) {
  const bool in_packets = code.arrangement == Arrangement::kPacket;
  const bool is_opencl = language == KernelLanguage::kOpencl;
  CommentWriter comment;
  describe_code(comment, code, fmt::format("kernels in {}.", facts_of(language).name));
  comment.paragraph("Each kernel takes");
  comment.parameter("base", is_opencl ? "a buffer that holds all chunks, as bytes"
                                      : "what places are counted from; null if they are addresses");
  comment.parameter(
      is_opencl ? "at" : "places",
      fmt::format("{} 64-bit numbers: at[i] is where the chunk begins that the comment of the "
                  "kernel names at place i, counted from base. Each is a multiple of 8",
                  is_opencl ? "a buffer of" : "a structure of"));
  comment.parameter("pitch", in_packets ? "0; it is not used"
                                        : "the bytes from one sub-chunk of a chunk to the next, a "
                                          "multiple of 8");
  comment.parameter(
      "columns", in_packets ? fmt::format("chunk_bytes / {}, where chunk_bytes is a multiple of {}",
                                          code.rows(), chunk_multiple(code))
                 : code.subchunks == 1
                     ? std::string("chunk_bytes")
                     : fmt::format("chunk_bytes / {}, the bytes of a sub-chunk", code.subchunks));
  comment.blank();
  comment.end(fmt::format(
      "{}A chunk that is written may overlap no other. Work items are in one dimension, in groups "
      "of "
      "at most {}{}. Their number is rounded up to whole groups, and those past the last column do "
      "nothing.",
      in_packets ? ""
                 : "Vectors are computed whole: up to 7 bytes behind a sub-chunk are read and "
                   "written. ",
      kKernelGroup, is_opencl ? "" : ", the threads of a block"));
  return std::move(comment).text();
}

std::string write_kernel_comment(const Program& program, const KernelText& kernel) {
  const std::size_t share = kernel.item_columns * kernel.team;
  const std::string items = kernel.team == 1
                                ? fmt::format("columns / {}", share)
                                : fmt::format("{} for each {} columns", kernel.team, share);
  const std::string tables =
      kernel.tables.empty()
          ? ""
          : fmt::format(
                " The last argument is a buffer of {0} bytes, which the kernel above has "
                "written once, with {0} work items.",
                kernel.tables.size());
  return write_function_comment(program) +
         wrap_text(
             "// ",
             fmt::format("Form {}, vectors of {} bytes. Places are of chunks {}. Work items: "
                         "{}, rounded up.{}",
                         form_name(kernel.form), kernel.vector_bytes,
                         short_list({kernel.chunks.begin(), kernel.chunks.end()}), items, tables),
             "// ") +
         "\n";
}

std::string write_prelude(KernelLanguage language, std::size_t vector_bytes,
                          const std::string& text) {
  std::string prelude = language == KernelLanguage::kHost ? kHostPrelude : "";
  const bool adds_three = text.find("xl_xor3(") != std::string::npos;
  const std::string added = adds_three ? three_way_xor(language, vector_bytes) : "";
  const std::string all = text + added + "xl_size XL_MEMORY ";
  for (const Word& word : kWords) {
    if (all.find(word.name) == std::string::npos) continue;
    std::string line = language == KernelLanguage::kOpencl                         ? word.opencl
                       : language == KernelLanguage::kHost && word.host != nullptr ? word.host
                                                                                   : word.cuda;
    if (const std::size_t at = line.find('$'); at != std::string::npos) {
      line[at] = vector_bytes == 4 ? 'r' : 'l';
    }
    prelude += line;
  }
  prelude +=
      fmt::format("typedef {} xl_vec;\n\n",
                  vector_bytes == 4 ? facts_of(language).word : facts_of(language).long_word);
  return prelude + added;
}

std::string define_access(const Code& code) {
  const bool in_packets = code.arrangement == Arrangement::kPacket;
  return fmt::format(
      "// A vector of a {0}.\n"
      "#define xl_get(chunk, row) \\\n"
      "  (*(const XL_MEMORY xl_vec *)((chunk) + (row) * {1}))\n"
      "#define xl_put(chunk, row, value) \\\n"
      "  (*(XL_MEMORY xl_vec *)((chunk) + (row) * {1}) = (value))\n",
      in_packets ? "packet" : "sub-chunk",
      in_packets ? fmt::format("{}", code.packet_bytes) : "pitch");
}

std::string place_of_vectors(const Code& code, std::size_t vector_bytes) {
  const bool in_packets = code.arrangement == Arrangement::kPacket;
  const char* const first = in_packets ? "column" : "place";
  std::string text = fmt::format(
      "  (void)pitch;\n"
      "  const xl_size {0} = xl_item() * {1};\n"
      "  if ({0} >= columns) return;\n",
      first, vector_bytes);
  if (!in_packets) return text;
  return text + fmt::format("  const xl_size place = column / {0} * {1} + column % {0};\n",
                            code.packet_bytes, chunk_multiple(code));
}

std::string write_kernel(KernelLanguage language, const KernelText& kernel,
                         const std::string& lines) {
  std::string text = head(language, kernel) + lines + "}\n";
  if (language == KernelLanguage::kHost) text += host_loop(kernel);
  return text;
}

}  // namespace xorloom
