#pragma once

// XORLOOM_ADDRESS_SANITIZER: built with the address sanitizer, as gcc or clang tell of it.
// XORLOOM_IS_SANITIZED: built with that or the thread sanitizer.
// Tests that only run the program are built without, and have these defined by CMake.
#if defined(XORLOOM_IS_SANITIZED)
#elif defined(__SANITIZE_ADDRESS__)
#define XORLOOM_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define XORLOOM_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define XORLOOM_IS_SANITIZED 1
#endif
#endif
#if !defined(XORLOOM_IS_SANITIZED) && \
    (defined(XORLOOM_ADDRESS_SANITIZER) || defined(__SANITIZE_THREAD__))
#define XORLOOM_IS_SANITIZED 1
#endif
