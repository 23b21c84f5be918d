#include "gen/source/word_forms.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <vector>

#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

/// A symbol in every place of a word of 8 bytes.
std::string in_all_places(std::uint64_t symbol, std::size_t w) {
  for (std::size_t bits = w; bits < 64; bits *= 2) symbol |= symbol << bits;
  return fmt::format("0x{:016x}u", symbol);
}

/// Defines the function that writes symbols as sums of given elements, and the elements of a basis.
std::string define_basis(const Field& field, const Language& language) {
  const std::size_t w = field.w();
  std::string text =
      "// Symbols are coordinates in a basis. They are polynomials from get to put.\n\n";
  const auto add = [&](const char* name, std::span<const Field::Symbol> elements) {
    std::vector<std::string> words;
    for (const Field::Symbol element : elements) words.push_back(in_all_places(element, w));
    text += fmt::format("{} uint64_t {}[{}] = {{\n{}}};\n\n", language.constant, name, w,
                        array_lines(words, 3));
  };
  add("basis", field.basis());
  add("powers_of_x", field.powers_of_x());
  return text + fmt::format(
                    "{0} vec combine(vec x, const uint64_t *elements) {{\n"
                    "  vec sum = {{0}};\n"
                    "  for (int bit = 0; bit < {1}; ++bit) {{\n"
                    "    const vec selected = (x >> bit) & {2};\n"
                    "    sum ^= ((selected << {1}) - selected) & elements[bit];\n"
                    "  }}\n"
                    "  return sum;\n"
                    "}}\n\n",
                    language.inline_function, w, in_all_places(1, w));
}

std::string define_portable(const Field& field, const Language& language, std::size_t vector_bytes,
                            bool multiplies) {
  const std::size_t w = field.w();
  const bool has_order = w > 8;  // symbols have an order of bytes
  std::string text =
      "// Form 0: for any processor and compiler. A product is a sum of doublings.\n\n";
  text += define_vec(vector_bytes, has_order);
  if (has_order) {
    text +=
        "#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__\n"
        "#define LOWEST_FIRST(value) __builtin_bswap64(value)\n"
        "#else\n"
        "#define LOWEST_FIRST(value) (value)\n"
        "#endif\n\n";
  }
  const bool has_basis = multiplies && !field.basis().empty();
  if (has_basis) text += define_basis(field, language);
  std::string first = has_order ? "LOWEST_FIRST(value)" : "value";
  if (has_basis) first = fmt::format("combine({}, basis)", first);
  text += fmt::format(
      "{0} vec get(const uint8_t *from) {{\n"
      "  vec value;\n"
      "  {1}memcpy(&value, from, sizeof value);\n"
      "  return {2};\n"
      "}}\n\n"
      "{0} void put(uint8_t *to, vec value) {{\n"
      "{3}"
      "  {1}memcpy(to, &value, sizeof value);\n"
      "}}\n\n",
      language.inline_function, language.std, first,
      fmt::format("{}{}", has_basis ? "  value = combine(value, powers_of_x);\n" : "",
                  has_order ? "  value = LOWEST_FIRST(value);\n" : ""));
  if (has_order) text += "#undef LOWEST_FIRST\n\n";
  if (!multiplies) return text;
  text += fmt::format(
      "// Every symbol times 2: shifted, plus {3:#x} where a bit came out.\n"
      "{0} vec twice(vec x) {{\n"
      "  const vec high = x & {1};\n"
      "  const vec all = (high << 1) - (high >> {2});  // all bits of those symbols\n"
      "  return ((x ^ high) << 1) ^ (all & {4});\n"
      "}}\n\n",
      language.inline_function, in_all_places(std::uint64_t{1} << (w - 1), w), w - 1,
      field.polynomial(), in_all_places(field.polynomial() ^ std::uint64_t{1} << w, w));
  return text;
}

// In the texts of vectors, @ stands for the start of a function, and $ for kFromRegister. get and
// put change the order of bytes to that of the constants and back: bytes of one kind together.

constexpr const char* kTablesBytes = R"(// Form 1: products of half bytes, looked up in tables.

typedef __m256i tvec;

@
tvec tget(const uint8_t *from) {
  return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

@
void tput(uint8_t *to, tvec x) {
  _mm256_storeu_si256((__m256i *)(void *)to, x);
}

@
tvec tmul(tvec x, const uint8_t *table) {
  const __m128i *halves = (const __m128i *)(const void *)table;
  const tvec lows = _mm256_broadcastsi128_si256(_mm_load_si128(halves));
  const tvec highs = _mm256_broadcastsi128_si256(_mm_load_si128(halves + 1));
  const tvec mask = _mm256_set1_epi8(15);
  const tvec low = _mm256_and_si256(x, mask);
  const tvec high = _mm256_and_si256(_mm256_srli_epi16(x, 4), mask);
  return _mm256_xor_si256(_mm256_shuffle_epi8(lows, low),
                          _mm256_shuffle_epi8(highs, high));
}

)";

constexpr const char* kTables16 =
    R"(// Form 1: products of half bytes, looked up in tables. A vector holds the low
// bytes of 16 symbols, then their high bytes.

typedef __m256i tvec;

@
tvec tget(const uint8_t *from) {
  const tvec order = _mm256_setr_epi8(
      0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15,
      0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
  const tvec x = _mm256_loadu_si256((const __m256i *)(const void *)from);
  return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(x, order), 0xd8);
}

@
void tput(uint8_t *to, tvec x) {
  const tvec order = _mm256_setr_epi8(
      0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15,
      0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  x = _mm256_shuffle_epi8(_mm256_permute4x64_epi64(x, 0xd8), order);
  _mm256_storeu_si256((__m256i *)(void *)to, x);
}

@
tvec tpart(tvec x, const uint8_t *table) {
  const tvec *halves = (const tvec *)(const void *)table;
  const tvec mask = _mm256_set1_epi8(15);
  const tvec low = _mm256_and_si256(x, mask);
  const tvec high = _mm256_and_si256(_mm256_srli_epi16(x, 4), mask);
  return _mm256_xor_si256(
      _mm256_shuffle_epi8(_mm256_load_si256(halves), low),
      _mm256_shuffle_epi8(_mm256_load_si256(halves + 1), high));
}

@
tvec tmul(tvec x, const uint8_t *table) {
  const tvec turned = _mm256_permute4x64_epi64(x, 0x4e);
  return _mm256_xor_si256(tpart(x, table), tpart(turned, table + 64));
}

)";

constexpr const char* kTables32 =
    R"(// Form 1: products of half bytes, looked up in tables. A vector holds the bytes
// 0 of 8 symbols, then their bytes 2, 1 and 3.

typedef __m256i tvec;

@
tvec tget(const uint8_t *from) {
  const tvec order = _mm256_setr_epi8(
      0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
      0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const tvec kinds = _mm256_setr_epi32(0, 4, 2, 6, 1, 5, 3, 7);
  const tvec x = _mm256_loadu_si256((const __m256i *)(const void *)from);
  return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(x, order), kinds);
}

@
void tput(uint8_t *to, tvec x) {
  const tvec order = _mm256_setr_epi8(
      0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
      0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const tvec kinds = _mm256_setr_epi32(0, 4, 2, 6, 1, 5, 3, 7);
  x = _mm256_shuffle_epi8(_mm256_permutevar8x32_epi32(x, kinds), order);
  _mm256_storeu_si256((__m256i *)(void *)to, x);
}

// The tables of bytes 0 and 1, then those of 2 and 3; first of low halves.
@
tvec tpart(tvec x, const uint8_t *table) {
  const tvec *tables = (const tvec *)(const void *)table;
  const tvec mask = _mm256_set1_epi8(15);
  const tvec low = _mm256_and_si256(x, mask);
  const tvec high = _mm256_and_si256(_mm256_srli_epi16(x, 4), mask);
  const tvec of_01 = _mm256_xor_si256(
      _mm256_shuffle_epi8(_mm256_load_si256(tables), low),
      _mm256_shuffle_epi8(_mm256_load_si256(tables + 2), high));
  const tvec of_23 = _mm256_xor_si256(
      _mm256_shuffle_epi8(_mm256_load_si256(tables + 1), low),
      _mm256_shuffle_epi8(_mm256_load_si256(tables + 3), high));
  return _mm256_blend_epi32(of_01, of_23, 0xcc);
}

@
tvec tmul(tvec x, const uint8_t *table) {
  const tvec once = _mm256_permute4x64_epi64(x, 0x1e);
  const tvec again = _mm256_permute4x64_epi64(x, 0xb1);
  const tvec thrice = _mm256_permute4x64_epi64(x, 0x4b);
  return _mm256_xor_si256(
      _mm256_xor_si256(tpart(x, table), tpart(once, table + 128)),
      _mm256_xor_si256(tpart(again, table + 256), tpart(thrice, table + 384)));
}

)";

// clang 14 computes a wrong address for a matrix that the instruction broadcasts from memory. With
// clang a matrix therefore has to come from a register.
constexpr const char* kFromRegister =
    R"(// Some versions of clang broadcast a matrix from a wrong address, unless it is
// in a register.
#ifdef __clang__
#define IN_REGISTER(x) __asm__("" : "+v"(x))
#else
#define IN_REGISTER(x) (void)0
#endif

)";

constexpr const char* kGfniBytes = R"(// Form 2: products by matrices of bits.

typedef __m512i gvec;

$@
gvec gget(const uint8_t *from) { return _mm512_loadu_si512(from); }

@
void gput(uint8_t *to, gvec x) { _mm512_storeu_si512(to, x); }

@
gvec gmul(gvec x, const uint64_t *matrix) {
  gvec m = _mm512_set1_epi64((long long)matrix[0]);
  IN_REGISTER(m);
  return _mm512_gf2p8affine_epi64_epi8(x, m, 0);
}

#undef IN_REGISTER

)";

constexpr const char* kGfni16 =
    R"(// Form 2: products by matrices of bits. 16 bytes of a vector hold the low bytes
// of 8 symbols, then their high bytes.

typedef __m512i gvec;

$// The maskz forms, of all lanes, since GCC 12 warns of the plain ones.
@
gvec gfour(__m128i x) { return _mm512_maskz_broadcast_i32x4(0xffff, x); }

@
gvec gget(const uint8_t *from) {
  const gvec order = gfour(_mm_setr_epi8(
      0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15));
  return _mm512_shuffle_epi8(_mm512_loadu_si512(from), order);
}

@
void gput(uint8_t *to, gvec x) {
  const gvec order = gfour(_mm_setr_epi8(
      0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
  _mm512_storeu_si512(to, _mm512_shuffle_epi8(x, order));
}

@
gvec gpart(gvec x, const uint64_t *matrices) {
  gvec m = gfour(_mm_load_si128((const __m128i *)(const void *)matrices));
  IN_REGISTER(m);
  return _mm512_gf2p8affine_epi64_epi8(x, m, 0);
}

@
gvec gmul(gvec x, const uint64_t *matrices) {
  const gvec turned = _mm512_maskz_permutex_epi64(0xff, x, 0xb1);
  return _mm512_xor_si512(gpart(x, matrices), gpart(turned, matrices + 2));
}

#undef IN_REGISTER

)";

constexpr const char* kGfni32 =
    R"(// Form 2: products by matrices of bits. 32 bytes of a vector hold the bytes 0
// of 8 symbols, then their bytes 1, 2 and 3.

typedef __m512i gvec;

$// The maskz forms, of all lanes, since GCC 12 warns of the plain ones.
@
gvec gfour(__m128i x) { return _mm512_maskz_broadcast_i32x4(0xffff, x); }

@
gvec gget(const uint8_t *from) {
  const gvec order = gfour(_mm_setr_epi8(
      0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  const gvec kinds = _mm512_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7,
                                       8, 12, 9, 13, 10, 14, 11, 15);
  const gvec x = _mm512_shuffle_epi8(_mm512_loadu_si512(from), order);
  return _mm512_maskz_permutexvar_epi32(0xffff, kinds, x);
}

@
void gput(uint8_t *to, gvec x) {
  const gvec order = gfour(_mm_setr_epi8(
      0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  const gvec kinds = _mm512_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7,
                                       8, 10, 12, 14, 9, 11, 13, 15);
  x = _mm512_maskz_permutexvar_epi32(0xffff, kinds, x);
  _mm512_storeu_si512(to, _mm512_shuffle_epi8(x, order));
}

@
gvec gpart(gvec x, const uint64_t *matrices) {
  gvec m = _mm512_maskz_broadcast_i64x4(
      0xff, _mm256_load_si256((const __m256i *)(const void *)matrices));
  IN_REGISTER(m);
  return _mm512_gf2p8affine_epi64_epi8(x, m, 0);
}

@
gvec gmul(gvec x, const uint64_t *matrices) {
  const gvec once = _mm512_maskz_permutex_epi64(0xff, x, 0x39);
  const gvec again = _mm512_maskz_permutex_epi64(0xff, x, 0x4e);
  const gvec thrice = _mm512_maskz_permutex_epi64(0xff, x, 0x93);
  return _mm512_xor_si512(
      _mm512_xor_si512(gpart(x, matrices), gpart(once, matrices + 4)),
      _mm512_xor_si512(gpart(again, matrices + 8),
                       gpart(thrice, matrices + 12)));
}

#undef IN_REGISTER

)";

std::string define_vectors(const WordForm& form, std::size_t w, const Language& language) {
  const bool is_table = form.constants == WordForm::Constants::kTables;
  const std::string_view text = w <= 8    ? (is_table ? kTablesBytes : kGfniBytes)
                                : w == 16 ? (is_table ? kTables16 : kGfni16)
                                          : (is_table ? kTables32 : kGfni32);
  std::string result;
  for (const char c : text) {
    if (c == '@') {
      result += fmt::format("{}{} __attribute__((always_inline, unused))", form.target(),
                            language.inline_function);
    } else if (c == '$') {
      result += kFromRegister;
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

constexpr std::array<WordForm, 3> kWordForms = {
    WordForm{
        .number = 0,
        .suffix = "_portable",
        .macro = "",
        .features = "",
        .words = {.vec = "vec", .get = "get(", .put = "put(", .twice = "twice(", .row = "* sub"},
        .constants = WordForm::Constants::kDoublings,
        .constant_prefix = '\0',
        .vector_bytes = 16},
    WordForm{
        .number = 1,
        .suffix = "_tables",
        .macro = "XL_TABLES",
        .features = "avx2",
        .words =
            {.vec = "tvec", .get = "tget(", .put = "tput(", .product = "tmul(", .row = "* sub"},
        .constants = WordForm::Constants::kTables,
        .constant_prefix = 't',
        .vector_bytes = 32},
    WordForm{
        .number = 2,
        .suffix = "_gfni",
        .macro = "XL_GFNI",
        .features = "gfni,avx512f,avx512bw",
        .words =
            {.vec = "gvec", .get = "gget(", .put = "gput(", .product = "gmul(", .row = "* sub"},
        .constants = WordForm::Constants::kMatrices,
        .constant_prefix = 'm',
        .vector_bytes = 64},
};

std::string define_vec(std::size_t widest, bool has_order) {
  struct Width {
    std::size_t bytes;
    const char* condition;
  };
  constexpr std::array kWidths = {
      Width{64, "defined(__AVX512F__)"}, Width{32, "defined(__AVX__)"},
      Width{16, "defined(__SSE2__) || defined(__ARM_NEON) || defined(__VSX__)"}};
  if (widest < kWidths.back().bytes) return "typedef uint64_t vec;\n\n";
  std::string text = "#if !defined(__GNUC__) && !defined(__clang__)\ntypedef uint64_t vec;\n";
  if (has_order) text += "#elif __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__\ntypedef uint64_t vec;\n";
  for (const Width& width : kWidths) {
    if (width.bytes > widest) continue;
    text += fmt::format("#elif {}\ntypedef uint64_t vec __attribute__((vector_size({})));\n",
                        width.condition, width.bytes);
  }
  return text + "#else\ntypedef uint64_t vec;\n#endif\n\n";
}

std::string define_form(const WordForm& form, const Field& field, const Language& language,
                        std::size_t vector_bytes, bool multiplies) {
  if (form.is_portable()) return define_portable(field, language, vector_bytes, multiplies);
  return define_vectors(form, field.w(), language);
}

std::string define_choice(const Language& language) {
  return fmt::format(
      "// The best form of this processor, asked for once. Threads may ask at once.\n"
      "{}int best_form(void) {{\n"
      "#ifdef XL_FORM\n"
      "  return XL_FORM;\n"
      "#else\n"
      "  static int known = -1;\n"
      "  int form = __atomic_load_n(&known, __ATOMIC_RELAXED);\n"
      "  if (form >= 0) return form;\n"
      "  __builtin_cpu_init();\n"
      "  form = __builtin_cpu_supports(\"avx2\") ? 1 : 0;\n"
      "  if (form == 1 && __builtin_cpu_supports(\"avx512f\") &&\n"
      "      __builtin_cpu_supports(\"avx512bw\")) {{\n"
      "    unsigned a = 0, b = 0, c = 0, d = 0;\n"
      "    const int has_leaf = __get_cpuid_count(7, 0, &a, &b, &c, &d);\n"
      "    if (has_leaf && (c >> 8 & 1)) form = 2;  // the bit of GFNI\n"
      "  }}\n"
      "  __atomic_store_n(&known, form, __ATOMIC_RELAXED);\n"
      "  return form;\n"
      "#endif\n"
      "}}\n\n",
      language.function);
}

}  // namespace xorloom
