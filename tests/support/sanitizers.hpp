#pragma once

// XORLOOM_IS_SANITIZED: the address or thread sanitizer, as gcc or clang tell of it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define XORLOOM_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define XORLOOM_IS_SANITIZED 1
#endif
#endif
