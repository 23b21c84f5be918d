// The native part of the package: codecs, and what they compute of buffers, at once or on a thread
// of Node's pool. index.js is what programs call.

#include <node_api.h>
#include <xorloom/xorloom.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

/// Becomes an Error of JavaScript, whose field `code` is `code`.
struct Failure {
  std::string code;
  std::string text;
};

[[noreturn]] void refuse(std::string text) {
  throw Failure{"XL_INVALID_ARGUMENT", std::move(text)};
}

/// Checks that a call of Node-API succeeded. If it left an exception, `guarded` keeps that one.
void check(napi_status status) {
  if (status != napi_ok) throw Failure{"XL_INTERNAL", "Node-API failed"};
}

std::string name_of(int status) {
  switch (status) {
    case XL_INVALID_ARGUMENT:
      return "XL_INVALID_ARGUMENT";
    case XL_PARSE:
      return "XL_PARSE";
    case XL_UNSUPPORTED:
      return "XL_UNSUPPORTED";
    case XL_IO:
      return "XL_IO";
    case XL_DAMAGED:
      return "XL_DAMAGED";
    default:
      return "XL_INTERNAL";
  }
}

void check_library(int status) {
  if (status != XL_OK) throw Failure{name_of(status), xl_last_error()};
}

/// Runs the body of a native function. No exception of C++ leaves it.
template <typename Body>
napi_value guarded(napi_env env, Body body) {
  bool is_pending = false;
  try {
    return body();
  } catch (const Failure& failure) {
    napi_is_exception_pending(env, &is_pending);
    if (!is_pending) napi_throw_error(env, failure.code.c_str(), failure.text.c_str());
  } catch (const std::exception& error) {
    napi_throw_error(env, "XL_UNSUPPORTED", error.what());
  }
  return nullptr;
}

std::vector<napi_value> arguments(napi_env env, napi_callback_info call, std::size_t count) {
  std::vector<napi_value> values(count);
  check(napi_get_cb_info(env, call, &count, values.data(), nullptr, nullptr));
  return values;  // arguments that the caller left out are undefined
}

std::string text_of(napi_env env, napi_value value) {
  std::size_t length = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &length) != napi_ok) {
    refuse("a text is not a string");
  }
  std::string text(length + 1, '\0');
  check(napi_get_value_string_utf8(env, value, text.data(), text.size(), &length));
  text.resize(length);
  return text;
}

const xl_codec* codec_of(napi_env env, napi_value value) {
  void* codec = nullptr;
  check(napi_get_value_external(env, value, &codec));
  return static_cast<const xl_codec*>(codec);
}

xl_info info_of(const xl_codec* codec) {
  xl_info info{};
  info.size = sizeof info;
  check_library(xl_codec_info(codec, &info));
  return info;
}

/// A computation on the chunks of a stripe.
struct Task {
  const xl_codec* codec = nullptr;
  char what = 'e';  ///< e: encode, d: decode, v: verify
  std::vector<std::uint8_t*> chunks;
  std::size_t bytes = 0;  ///< bytes of each chunk
  std::vector<int> erased;
  int status = XL_OK;
  std::string text;  ///< why it failed

  napi_deferred promise = nullptr;  ///< null: the task runs on the calling thread
  napi_async_work work = nullptr;
  napi_ref kept = nullptr;  ///< the codec and the buffers, which may not be collected meanwhile
};

void compute(Task& task) {
  switch (task.what) {
    case 'e':
      task.status = xl_encode(task.codec, task.chunks.data(), task.bytes);
      break;
    case 'd':
      task.status = xl_decode(task.codec, task.chunks.data(), task.erased.data(),
                              static_cast<int>(task.erased.size()), task.bytes);
      break;
    default:
      task.status = xl_verify(task.codec, task.chunks.data(), task.bytes);
  }
  if (task.status != XL_OK) task.text = xl_last_error();
}

bool fails(const Task& task) {
  return task.status != XL_OK && !(task.what == 'v' && task.status == XL_DAMAGED);
}

/// True, or false if redundancy does not agree with data.
napi_value result_of(napi_env env, const Task& task) {
  napi_value result = nullptr;
  check(napi_get_boolean(env, task.status == XL_OK, &result));
  return result;
}

/// Makes a task of the arguments (codec, what, chunks, erased). `kept` becomes an array of all that
/// the task uses.
std::unique_ptr<Task> task_of(napi_env env, napi_callback_info call, napi_value* kept) {
  const auto given = arguments(env, call, 4);
  auto task = std::make_unique<Task>();
  task->codec = codec_of(env, given[0]);
  task->what = text_of(env, given[1]).at(0);
  const std::size_t locations = info_of(task->codec).locations;
  std::uint32_t count = 0;
  if (napi_get_array_length(env, given[2], &count) != napi_ok) refuse("the chunks are no array");
  if (count != locations) {
    refuse(std::to_string(count) + " chunks for " + std::to_string(locations) + " locations");
  }
  check(napi_create_array_with_length(env, count + 1, kept));
  check(napi_set_element(env, *kept, count, given[0]));
  for (std::uint32_t i = 0; i < count; ++i) {
    napi_value chunk = nullptr;
    check(napi_get_element(env, given[2], i, &chunk));
    check(napi_set_element(env, *kept, i, chunk));
    napi_typedarray_type type = napi_int8_array;
    void* address = nullptr;
    std::size_t bytes = 0;
    if (napi_get_typedarray_info(env, chunk, &type, &bytes, &address, nullptr, nullptr) !=
            napi_ok ||
        type != napi_uint8_array) {
      refuse("chunk " + std::to_string(i) + " is neither a Buffer nor a Uint8Array");
    }
    if (i == 0) task->bytes = bytes;
    if (bytes != task->bytes) {
      refuse("chunks 0 and " + std::to_string(i) + " have " + std::to_string(task->bytes) +
             " and " + std::to_string(bytes) + " bytes");
    }
    task->chunks.push_back(static_cast<std::uint8_t*>(address));
  }
  if (task->what != 'd') return task;
  if (napi_get_array_length(env, given[3], &count) != napi_ok) refuse("the erased are no array");
  for (std::uint32_t i = 0; i < count; ++i) {
    napi_value element = nullptr;
    check(napi_get_element(env, given[3], i, &element));
    double number = -1;
    napi_get_value_double(env, element, &number);
    const bool is_below = number >= 0 && number < static_cast<double>(locations);
    const int location = is_below ? static_cast<int>(number) : 0;
    if (!is_below || location != number) {
      refuse("erased number " + std::to_string(i) + " is not one of 0 to " +
             std::to_string(locations - 1));
    }
    task->erased.push_back(location);
  }
  return task;
}

napi_value open(napi_env env, napi_callback_info call) {
  return guarded(env, [&] {
    const auto given = arguments(env, call, 1);
    xl_codec* codec = nullptr;
    check_library(xl_codec_create(text_of(env, given[0]).c_str(), nullptr, &codec));
    napi_value external = nullptr;
    const auto close = [](napi_env, void* data, void*) {
      xl_codec_destroy(static_cast<xl_codec*>(data));
    };
    if (napi_create_external(env, codec, close, nullptr, &external) != napi_ok) {
      xl_codec_destroy(codec);
      check(napi_generic_failure);
    }
    return external;
  });
}

/// The locations of a codec, and the number that a chunk's bytes are a multiple of.
napi_value sizes(napi_env env, napi_callback_info call) {
  return guarded(env, [&] {
    const xl_info info = info_of(codec_of(env, arguments(env, call, 1)[0]));
    napi_value both = nullptr;
    check(napi_create_array_with_length(env, 2, &both));
    const std::size_t values[] = {info.locations, info.chunk_multiple};
    for (std::uint32_t i = 0; i < 2; ++i) {
      napi_value number = nullptr;
      check(napi_create_double(env, static_cast<double>(values[i]), &number));
      check(napi_set_element(env, both, i, number));
    }
    return both;
  });
}

/// Computes on the calling thread.
napi_value run(napi_env env, napi_callback_info call) {
  return guarded(env, [&] {
    napi_value kept = nullptr;
    const auto task = task_of(env, call, &kept);
    compute(*task);
    if (fails(*task)) throw Failure{name_of(task->status), task->text};
    return result_of(env, *task);
  });
}

/// Settles the promise of a task that was computed, on the thread of JavaScript.
void settle(napi_env env, napi_status status, void* data) {
  const std::unique_ptr<Task> task(static_cast<Task*>(data));
  napi_delete_reference(env, task->kept);
  napi_delete_async_work(env, task->work);
  guarded(env, [&]() -> napi_value {
    if (status == napi_ok && !fails(*task)) {
      check(napi_resolve_deferred(env, task->promise, result_of(env, *task)));
      return nullptr;
    }
    const std::string name = status == napi_ok ? name_of(task->status) : "XL_INTERNAL";
    napi_value code = nullptr;
    napi_value text = nullptr;
    napi_value error = nullptr;
    check(napi_create_string_utf8(env, name.c_str(), name.size(), &code));
    check(napi_create_string_utf8(env, task->text.c_str(), task->text.size(), &text));
    check(napi_create_error(env, code, text, &error));
    check(napi_reject_deferred(env, task->promise, error));
    return nullptr;
  });
}

/// Computes on a thread of Node's pool, and returns a promise.
napi_value start(napi_env env, napi_callback_info call) {
  return guarded(env, [&] {
    napi_value kept = nullptr;
    napi_value promise = nullptr;
    napi_value name = nullptr;
    auto task = task_of(env, call, &kept);
    check(napi_create_string_utf8(env, "xorloom", NAPI_AUTO_LENGTH, &name));
    check(napi_create_reference(env, kept, 1, &task->kept));
    check(napi_create_promise(env, &task->promise, &promise));
    const auto execute = [](napi_env, void* data) { compute(*static_cast<Task*>(data)); };
    check(napi_create_async_work(env, nullptr, name, execute, settle, task.get(), &task->work));
    check(napi_queue_async_work(env, task->work));
    task.release();  // settle() frees it
    return promise;
  });
}

}  // namespace

NAPI_MODULE_INIT() {
  const std::pair<const char*, napi_callback> functions[] = {
      {"open", open}, {"sizes", sizes}, {"run", run}, {"start", start}};
  for (const auto& [name, callback] : functions) {
    napi_value function = nullptr;
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, nullptr, &function) !=
            napi_ok ||
        napi_set_named_property(env, exports, name, function) != napi_ok) {
      return nullptr;
    }
  }
  return exports;
}
