# How every target of the project is built. Our warnings and sanitizers apply to our own files, never to
# those of a user of the library.

option(XORLOOM_PCH "Precompile the headers of the standard library and of fmt" ON)
set(XORLOOM_SOURCES ""
    CACHE STRING "Sources of rooms that are built, a regular expression; what needs others does not link")

add_library(xorloom_build_flags INTERFACE)
target_compile_features(xorloom_build_flags INTERFACE cxx_std_20)
target_compile_options(
  xorloom_build_flags
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
            $<$<BOOL:${XORLOOM_WERROR}>:-Werror>
            # What g++ 12 says of strings joined by + is wrong (its bug 105651).
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow>)
if(XORLOOM_SANITIZE)
  target_compile_options(xorloom_build_flags INTERFACE -fsanitize=${XORLOOM_SANITIZE}
                                                       -fno-sanitize-recover=all)
  # Among a sanitizer's checks gcc loses track of what an std::optional holds.
  target_compile_options(xorloom_build_flags
                         INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(xorloom_build_flags INTERFACE -fsanitize=${XORLOOM_SANITIZE})
  # Programs are large here, and lld is quick where it is installed.
  find_program(XORLOOM_LLD ld.lld)
  if(XORLOOM_LLD)
    target_link_options(xorloom_build_flags INTERFACE -fuse-ld=lld)
  endif()
  if(XORLOOM_SANITIZE MATCHES "undefined")
    # The sanitizer's messages stand in millions of pointers. A position-independent program fills them in
    # as it begins, which is half of the time of a short run.
    target_link_options(xorloom_build_flags INTERFACE
                        $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
endif()

# What most files include, and what never changes with the project: no header of ours is here, so that a
# change of one builds again only what includes it.
set(XORLOOM_PRECOMPILED
    <algorithm> <array> <atomic> <bit> <charconv> <cstddef> <cstdint> <cstring> <filesystem> <functional>
    <iterator> <map> <memory> <numeric> <optional> <set> <span> <string> <string_view> <utility> <vector>
    <fmt/format.h> <fmt/ranges.h>)

# xorloom_precompile(TARGET [HEADER...] | TARGET REUSE_FROM OTHER)
#
# Precompiles those headers, and more of others', for a target. Targets with the same flags share them.
function(xorloom_precompile target)
  if(NOT XORLOOM_PCH)
    return()
  endif()
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    list(TRANSFORM XORLOOM_PRECOMPILED REPLACE ".+" "$<$<COMPILE_LANGUAGE:CXX>:\\0>"
                   OUTPUT_VARIABLE headers)
    target_precompile_headers(${target} PRIVATE ${headers} ${ARGN})
  endif()
  # What ccache needs to know one of them by what it holds.
  if(XORLOOM_CCACHE)
    target_compile_options(
      ${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>
                        "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endfunction()

# xorloom_room(NAME SOURCES file... [LINK target...] [PRIVATE_LINK target...])
#
# Adds one room of the project (docs/architecture.md): a static library that links only leftwards.
function(xorloom_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "SOURCES;LINK;PRIVATE_LINK")
  if(XORLOOM_SOURCES)
    list(FILTER room_SOURCES INCLUDE REGEX "${XORLOOM_SOURCES}")
  endif()
  add_library(xorloom_${name} STATIC ${room_SOURCES})
  target_include_directories(xorloom_${name} PUBLIC ${PROJECT_SOURCE_DIR}
                                                    ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(
    xorloom_${name}
    PUBLIC ${room_LINK}
    PRIVATE $<BUILD_INTERFACE:xorloom_build_flags> ${room_PRIVATE_LINK})
  set_target_properties(
    xorloom_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                               VISIBILITY_INLINES_HIDDEN ON CXX_EXTENSIONS OFF)
  if(name STREQUAL "codes")
    xorloom_precompile(xorloom_codes)
  else()
    xorloom_precompile(xorloom_${name} REUSE_FROM xorloom_codes)
  endif()
endfunction()
