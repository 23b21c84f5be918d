// The native methods of xorloom.Codec, and those that Hadoop's raw coders declare, which
// xorloom.HadoopAgent registers.

#include <jni.h>
#include <xorloom/xorloom.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

/// Thrown while an exception of Java is pending.
struct Pending {};

[[noreturn]] void raise(JNIEnv* env, const char* type, const std::string& text) {
  if (jclass found = env->FindClass(type)) env->ThrowNew(found, text.c_str());
  throw Pending{};
}

[[noreturn]] void refuse(JNIEnv* env, const std::string& text) {
  raise(env, "java/lang/IllegalArgumentException", text);
}

/// Throws in Java what the library says of a call that failed.
void check(JNIEnv* env, int status) {
  switch (status) {
    case XL_OK:
      return;
    case XL_INVALID_ARGUMENT:
    case XL_PARSE:
      refuse(env, xl_last_error());
    case XL_UNSUPPORTED:
      raise(env, "java/lang/UnsupportedOperationException", xl_last_error());
    default:
      raise(env, "java/io/IOException", xl_last_error());
  }
}

/// Runs the body of a native method. No exception of C++ leaves it.
template <typename Body>
auto guarded(JNIEnv* env, Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const Pending&) {
  } catch (const std::exception& error) {
    if (jclass found = env->FindClass("java/lang/OutOfMemoryError")) {
      env->ThrowNew(found, error.what());
    }
  }
  return decltype(body())();
}

std::string text_of(JNIEnv* env, jstring string) {
  const char* text = string == nullptr ? nullptr : env->GetStringUTFChars(string, nullptr);
  if (text == nullptr) raise(env, "java/lang/NullPointerException", "a text is null");
  std::string copy = text;
  env->ReleaseStringUTFChars(string, text);
  return copy;
}

std::vector<int> numbers(JNIEnv* env, jintArray array) {
  if (array == nullptr) raise(env, "java/lang/NullPointerException", "an array is null");
  std::vector<jint> values(static_cast<std::size_t>(env->GetArrayLength(array)));
  env->GetIntArrayRegion(array, 0, static_cast<jsize>(values.size()), values.data());
  return {values.begin(), values.end()};
}

/// The addresses of `bytes` bytes of each buffer, from its offset on. nullptr for a null buffer.
std::vector<std::uint8_t*> addresses(JNIEnv* env, jobjectArray buffers, jintArray offsets,
                                     jint bytes) {
  const auto begins = numbers(env, offsets);
  if (buffers == nullptr) raise(env, "java/lang/NullPointerException", "the buffers are null");
  const auto count = static_cast<std::size_t>(env->GetArrayLength(buffers));
  if (begins.size() != count) {
    refuse(env,
           std::to_string(begins.size()) + " offsets of " + std::to_string(count) + " buffers");
  }
  std::vector<std::uint8_t*> found(count, nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    jobject buffer = env->GetObjectArrayElement(buffers, static_cast<jsize>(i));
    if (buffer == nullptr) continue;
    auto* address = static_cast<std::uint8_t*>(env->GetDirectBufferAddress(buffer));
    const auto capacity = env->GetDirectBufferCapacity(buffer);
    env->DeleteLocalRef(buffer);
    const auto name = "buffer " + std::to_string(i);
    if (address == nullptr) refuse(env, name + " is not direct");
    if (bytes < 0 || begins[i] < 0 || begins[i] > capacity - bytes) {
      refuse(env, name + ": " + std::to_string(bytes) + " bytes from " + std::to_string(begins[i]) +
                      " on exceed its capacity of " + std::to_string(capacity));
    }
    found[i] = address + begins[i];
  }
  return found;
}

void expect(JNIEnv* env, std::size_t count, std::size_t wanted, const char* what) {
  if (count == wanted) return;
  refuse(env,
         std::to_string(count) + " " + what + ", where the code has " + std::to_string(wanted));
}

xl_codec* codec_of(jlong handle) { return reinterpret_cast<xl_codec*>(handle); }

xl_info info_of(JNIEnv* env, const xl_codec* codec) {
  xl_info info{};
  info.size = sizeof info;
  check(env, xl_codec_info(codec, &info));
  return info;
}

}  // namespace

// The native methods of xorloom.Codec, whose long is the address of a codec.
#define CODEC(type, name) extern "C" JNIEXPORT type JNICALL Java_xorloom_Codec_##name

CODEC(jlong, create)(JNIEnv* env, jclass, jstring spec) {
  return guarded(env, [&]() -> jlong {
    xl_codec* codec = nullptr;
    check(env, xl_codec_create(text_of(env, spec).c_str(), nullptr, &codec));
    return reinterpret_cast<jlong>(codec);
  });
}

CODEC(void, destroy)(JNIEnv*, jclass, jlong handle) { xl_codec_destroy(codec_of(handle)); }

CODEC(jint, locations)(JNIEnv* env, jclass, jlong handle) {
  return guarded(env, [&] { return static_cast<jint>(info_of(env, codec_of(handle)).locations); });
}

CODEC(jint, multiple)(JNIEnv*, jclass, jlong handle) {
  return static_cast<jint>(xl_codec_chunk_multiple(codec_of(handle)));
}

// Encodes ('e'), decodes ('d') or verifies ('v'). False: redundancy does not agree with data.
CODEC(jboolean, run)
(JNIEnv* env, jclass, jlong handle, jchar task, jobjectArray buffers, jintArray offsets, jint bytes,
 jintArray erased) {
  return guarded(env, [&]() -> jboolean {
    const xl_codec* codec = codec_of(handle);
    const auto chunks = addresses(env, buffers, offsets, bytes);
    expect(env, chunks.size(), info_of(env, codec).locations, "chunks");
    const auto lost = numbers(env, erased);
    const auto size = static_cast<std::size_t>(bytes);
    int status = XL_OK;
    if (task == 'e') status = xl_encode(codec, chunks.data(), size);
    if (task == 'd') {
      status = xl_decode(codec, chunks.data(), lost.data(), static_cast<int>(lost.size()), size);
    }
    if (task == 'v') status = xl_verify(codec, chunks.data(), size);
    if (task == 'v' && status == XL_DAMAGED) return JNI_FALSE;
    check(env, status);
    return JNI_TRUE;
  });
}

namespace {

// Hadoop's coders, whose field nativeCoder is the address of a Coder.

/// The code of a coder of Hadoop. Its bytes are those of ISA-L's Cauchy matrix. For one unit of
/// parity that is not the family's code, which is plain parity, but its first redundant chunk with
/// m = 2. The second one then counts as lost in every call.
struct Coder {
  xl_codec* codec = nullptr;
  std::size_t data = 0;
  std::size_t parity = 0;
  bool has_unused_chunk = false;

  Coder() = default;
  Coder(const Coder&) = delete;
  Coder& operator=(const Coder&) = delete;
  ~Coder() { xl_codec_destroy(codec); }
};

jfieldID coder_field(JNIEnv* env, jobject self) {
  jfieldID field = env->GetFieldID(env->GetObjectClass(self), "nativeCoder", "J");
  if (field == nullptr) throw Pending{};
  return field;
}

Coder& coder_of(JNIEnv* env, jobject self) {
  auto* coder = reinterpret_cast<Coder*>(env->GetLongField(self, coder_field(env, self)));
  if (coder == nullptr) raise(env, "java/io/IOException", "the coder is closed");
  return *coder;
}

template <bool is_xor>
void JNICALL init(JNIEnv* env, jobject self, jint data, jint parity) {
  guarded(env, [&] {
    if (parity < 1 || (is_xor && parity != 1)) {
      refuse(env, std::to_string(parity) + " parity units, where " +
                      (is_xor ? "XOR has 1" : "at least 1 is needed"));
    }
    auto coder = std::make_unique<Coder>();
    coder->data = static_cast<std::size_t>(data);
    coder->parity = static_cast<std::size_t>(parity);
    coder->has_unused_chunk = parity == 1 && !is_xor;
    const auto spec = "isa-cauchy:k=" + std::to_string(data) +
                      ",m=" + std::to_string(parity + (coder->has_unused_chunk ? 1 : 0));
    check(env, xl_codec_create(spec.c_str(), nullptr, &coder->codec));
    env->SetLongField(self, coder_field(env, self), reinterpret_cast<jlong>(coder.release()));
  });
}

/// Computes the wanted chunks. Chunks that are null are lost, too.
void rebuild(JNIEnv* env, const Coder& coder, std::vector<std::uint8_t*> chunks,
             const std::vector<int>& wanted, std::size_t bytes) {
  if (wanted.empty()) return;  // an empty list would mean all lost chunks
  std::vector<int> lost;
  if (coder.has_unused_chunk) chunks.push_back(nullptr);
  for (int i = 0; i < static_cast<int>(chunks.size()); ++i) {
    const bool is_wanted = std::find(wanted.begin(), wanted.end(), i) != wanted.end();
    if (is_wanted || chunks[static_cast<std::size_t>(i)] == nullptr) lost.push_back(i);
  }
  check(env,
        xl_decode_wanted(coder.codec, chunks.data(), lost.data(), static_cast<int>(lost.size()),
                         wanted.data(), static_cast<int>(wanted.size()), bytes));
}

void JNICALL encode(JNIEnv* env, jobject self, jobjectArray inputs, jintArray input_offsets,
                    jint bytes, jobjectArray outputs, jintArray output_offsets) {
  guarded(env, [&] {
    const Coder& coder = coder_of(env, self);
    auto chunks = addresses(env, inputs, input_offsets, bytes);
    const auto parity = addresses(env, outputs, output_offsets, bytes);
    expect(env, chunks.size(), coder.data, "data units");
    expect(env, parity.size(), coder.parity, "parity units");
    chunks.insert(chunks.end(), parity.begin(), parity.end());
    const auto size = static_cast<std::size_t>(bytes);
    if (coder.has_unused_chunk) {
      rebuild(env, coder, std::move(chunks), {static_cast<int>(coder.data)}, size);
    } else {
      check(env, xl_encode(coder.codec, chunks.data(), size));
    }
  });
}

void JNICALL decode(JNIEnv* env, jobject self, jobjectArray inputs, jintArray input_offsets,
                    jint bytes, jintArray erased, jobjectArray outputs, jintArray output_offsets) {
  guarded(env, [&] {
    const Coder& coder = coder_of(env, self);
    auto chunks = addresses(env, inputs, input_offsets, bytes);
    const auto rebuilt = addresses(env, outputs, output_offsets, bytes);
    const auto wanted = numbers(env, erased);
    expect(env, chunks.size(), coder.data + coder.parity, "units");
    if (rebuilt.size() != wanted.size()) {
      refuse(env, std::to_string(rebuilt.size()) + " outputs for " + std::to_string(wanted.size()) +
                      " erased units");
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] < 0 || static_cast<std::size_t>(wanted[i]) >= chunks.size()) {
        refuse(env, "erased unit " + std::to_string(wanted[i]) + " of " +
                        std::to_string(chunks.size()) + " units, numbered from 0");
      }
      chunks[static_cast<std::size_t>(wanted[i])] = rebuilt[i];
    }
    rebuild(env, coder, std::move(chunks), wanted, static_cast<std::size_t>(bytes));
  });
}

void JNICALL destroy(JNIEnv* env, jobject self) {
  guarded(env, [&] {
    const auto field = coder_field(env, self);
    delete reinterpret_cast<Coder*>(env->GetLongField(self, field));
    env->SetLongField(self, field, 0);
  });
}

template <typename Function>
JNINativeMethod method(const char* name, const char* signature, Function* function) {
  return {const_cast<char*>(name), const_cast<char*>(signature), reinterpret_cast<void*>(function)};
}

#define BUFFERS "[Ljava/nio/ByteBuffer;[I"

/// The native methods of a class of Hadoop, as Hadoop 3 declares them.
std::vector<JNINativeMethod> methods_of(const std::string& name) {
  if (name == "NativeCodeLoader")
    return {method(
        "buildSupportsIsal", "()Z", +[](JNIEnv*, jclass) -> jboolean { return JNI_TRUE; })};
  if (name == "ErasureCodeNative") {
    return {method(
                "loadLibrary", "()V", +[](JNIEnv*, jclass) {}),
            method(
                "getLibraryName", "()Ljava/lang/String;", +[](JNIEnv* env, jclass) {
                  return env->NewStringUTF((std::string("libxorloom ") + xl_version()).c_str());
                })};
  }
  const bool is_xor = name.find("XOR") != std::string::npos;
  const bool encodes = name.find("Encoder") != std::string::npos;
  return {method("initImpl", "(II)V", is_xor ? init<true> : init<false>),
          encodes ? method("encodeImpl", "(" BUFFERS "I" BUFFERS ")V", encode)
                  : method("decodeImpl", "(" BUFFERS "I[I" BUFFERS ")V", decode),
          method("destroyImpl", "()V", destroy)};
}

}  // namespace

// Registers the native methods of a class of Hadoop, by its name without packages. Throws
// NoSuchMethodError if the class does not declare one of them.
extern "C" JNIEXPORT void JNICALL Java_xorloom_HadoopAgent_register(JNIEnv* env, jclass,
                                                                    jclass hadoop, jstring name) {
  guarded(env, [&] {
    const auto methods = methods_of(text_of(env, name));
    env->RegisterNatives(hadoop, methods.data(), static_cast<jint>(methods.size()));
  });
}
