#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "gen/source/emit.hpp"

namespace xorloom {

/// The languages of kernels. They share one text, and each has a prelude of some lines.
enum class KernelLanguage : std::uint8_t {
  kOpencl,  ///< OpenCL C 1.2
  kCuda,    ///< CUDA C++
  kHost     ///< the text of CUDA as C++17 for a processor, with a loop over work items
};

/// Ways to compute. The first two are for packets, the others for words.
enum class KernelForm : std::uint8_t {
  kAccumulators,  ///< reads each input once and adds it to every sum that needs it
  kIterative,     ///< shared sums, in an order in which few values wait
  kHorner,        ///< doubles each sum and adds the inputs whose coefficients have the bit
  kBitSliced,     ///< turns words into planes of bits, and then computes as on packets
  kTables         ///< looks products up: a baseline
};

inline constexpr std::array kKernelForms = {KernelForm::kAccumulators, KernelForm::kIterative,
                                            KernelForm::kHorner, KernelForm::kBitSliced,
                                            KernelForm::kTables};

/// Name of a form: "bit-sliced".
const char* form_name(KernelForm form);

/// Arguments of a kernel. `index` is the position of a chunk in KernelText::chunks.
///
///     OpenCL  __kernel void ENTRY(__global uchar *base, __constant ulong *at, ulong pitch,
///                                 ulong columns)
///     CUDA    extern "C" __global__ void ENTRY(unsigned char *base, const struct ENTRY_places at,
///                                              unsigned long long pitch,
///                                              unsigned long long columns)
///     host    extern "C" void ENTRY_run(unsigned char *base, const unsigned long long *at,
///                                       unsigned long long pitch, unsigned long long columns)
///
///   base + at[index]   start of a chunk, a multiple of 8
///   pitch              on words: the bytes from one sub-chunk to the next, a multiple of 8; on
///                      packets unused
///   columns            columns of the chunk: on packets its bytes / rows, on words the bytes of a
///                      sub-chunk
///   tables             one more argument if KernelText::tables has bytes
///
/// `struct ENTRY_places` has one member, unsigned long long at[chunks.size()]. A kernel computes
/// whole vectors: on words it may read and write up to the next multiple of 8 columns.
inline constexpr std::size_t kMostKernelChunks = 480;

/// Most additions of vectors in a kernel: more would take compilers minutes.
inline constexpr std::size_t kMostKernelAdditions = std::size_t{1} << 16;

/// Most work items in a group that a kernel runs with.
inline constexpr std::size_t kKernelGroup = 256;

/// Ways in which kTables multiplies symbols of 8 bits, with the bytes of their tables.
///
/// Source: slides on Reed-Solomon coding for cloud storage on GPUs; bench/codes/multiplication.hpp
///         has each of them as a reference. The last is what Plank, Greenan and Miller do on CPUs.
enum class KernelTables : std::uint8_t {
  kShiftAndAdd,  ///< 0: doublings in a loop
  kFull,         ///< 65536: all products
  kLeftRight,    ///< 2 x 4096: products with the high and low half of a symbol
  kLogExp,       ///< 256 + 255, with a remainder
  kCarry,        ///< 256 + 256: improvement I
  kRepeated,     ///< 256 + 509: improvement II
  kUnbranched,   ///< 512 + 1021: improvement III
  kNibbles       ///< 32 for each coefficient
};

inline constexpr std::array kKernelTables = {KernelTables::kShiftAndAdd, KernelTables::kFull,
                                             KernelTables::kLeftRight,   KernelTables::kLogExp,
                                             KernelTables::kCarry,       KernelTables::kRepeated,
                                             KernelTables::kUnbranched,  KernelTables::kNibbles};

/// Name of a policy: "left-right".
const char* tables_name(KernelTables tables);

/// Memory that holds tables.
enum class KernelTableMemory : std::uint8_t {
  kGlobal,    ///< memory of the device, an argument
  kConstant,  ///< constant memory: a part of the text
  kLocal      ///< each group copies the argument into memory of its own
};

inline constexpr std::array kKernelTableMemories = {
    KernelTableMemory::kGlobal, KernelTableMemory::kConstant, KernelTableMemory::kLocal};

/// Name of a memory: "constant".
const char* memory_name(KernelTableMemory memory);

struct KernelOptions {
  KernelLanguage language = KernelLanguage::kOpencl;
  std::optional<KernelForm> form{};           ///< nullopt: the form with the lowest price
  std::optional<std::size_t> vector_bytes{};  ///< 4 or 8; nullopt: the width with the lowest price
  KernelTables tables = KernelTables::kUnbranched;
  KernelTableMemory table_memory = KernelTableMemory::kLocal;
  std::optional<std::string> name{};  ///< nullopt: named after the code: cauchy_good_k10_m4_w8
};

/// The source of one kernel and how to call it.
struct KernelText {
  std::string source;
  std::string entry;
  std::vector<std::size_t> chunks;  ///< the locations that the kernel touches, ascending
  KernelForm form = KernelForm::kAccumulators;
  std::size_t vector_bytes = 4;
  std::size_t item_columns = 4;  ///< columns that a work item computes
  std::size_t team = 1;          ///< work items that share a range of columns, a power of two
  /// Bytes that the last argument points at; empty: no such argument.
  std::vector<std::uint8_t> tables{};

  /// Work items for `columns` columns. Further items do nothing.
  std::uint64_t items(std::uint64_t columns) const {
    const std::uint64_t share = item_columns * team;
    return (columns + share - 1) / share * team;
  }
};

/// Forms that may be the best for a code: those that compute it, except the baseline.
std::vector<KernelForm> forms_of(const Code& code);

/// Writes the kernel that computes a program on the chunks of a code. Its lines are read back and
/// compared with the program and the field. Precondition: the program is proved.
///
/// Locations past those of the code hold the virtual elements of an update: element e is row e %
/// rows of location e / rows, as everywhere.
///
/// Shape:  the program is an XOR program on packets, and on words one over the code's symbols.
/// Errors: throws kUnsupported for more than kMostKernelChunks chunks or kMostKernelAdditions, and
///         for a form that does not compute the code; kInvalidArgument for invalid options and for
///         a program over another field than the code's; kInternal if the text does not compute the
///         program.
KernelText emit_kernel(const Code& code, const NamedProgram& program,
                       const KernelOptions& options = {});

/// Writes a file of kernels for people, with a comment at its top that describes their arguments.
/// All have vectors of the same width. If tables are an argument, one more kernel writes them.
///
/// Errors: as emit_kernel; throws kInvalidArgument if there is no program or two have the same
///         name, and kUnsupported for more than one program in the form tables.
std::string emit_kernels(const Code& code, std::span<const NamedProgram> programs,
                         const KernelOptions& options = {});

}  // namespace xorloom
