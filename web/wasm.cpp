// The C interface of the explorer in a browser. Texts are UTF-8, by pointer and length.

#include <emscripten.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "web/explorer.hpp"

// clang-format off: the bodies are JavaScript
EM_JS(void, xl_progress, (double xors, double bound, double part), {
  if (Module.onProgress) Module.onProgress(xors, bound, part);
})
EM_JS(void, xl_equations, (const char* json, std::size_t bytes), {
  if (Module.onEquations)
    Module.onEquations(new TextDecoder().decode(HEAPU8.subarray(json, json + bytes)));
})
// clang-format on

namespace {
xorloom::web::Answer last;
}

extern "C" {

/// Answers a question and keeps the answer until the next one. Returns 0, or the kind of error.
EMSCRIPTEN_KEEPALIVE int xl_ask(const char* question, std::size_t bytes) {
  last = xorloom::web::answer(
      std::string_view(question, bytes),
      {.on_progress =
           [](std::size_t xors, std::size_t bound, double part) {
             xl_progress(static_cast<double>(xors), static_cast<double>(bound), part);
           },
       .on_equations = [](const std::string& json) { xl_equations(json.data(), json.size()); }});
  return static_cast<int>(last.status);
}

EMSCRIPTEN_KEEPALIVE const char* xl_answer() { return last.text.data(); }
EMSCRIPTEN_KEEPALIVE std::size_t xl_answer_bytes() { return last.text.size(); }
}
