# How every target of the project is built. Our warnings and sanitizers apply to our own files, never to
# those of a user of the library.

option(XORLOOM_PCH "Precompile the headers of the standard library and of fmt" ON)
option(XORLOOM_UNITY "Compile the sources of a folder as one file, in half of the time" ON)
set(XORLOOM_SOURCES ""
    CACHE STRING "Sources of rooms that are built, a regular expression; what needs others does not link")

add_library(xorloom_build_flags INTERFACE)
target_compile_features(xorloom_build_flags INTERFACE cxx_std_20)
target_compile_options(
  xorloom_build_flags
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
            $<$<BOOL:${XORLOOM_WERROR}>:-Werror>
            # A product is rounded before it is added, on processors that can do both at once, too: the same
            # seeds give the same programs and orders everywhere.
            -ffp-contract=off
            # What g++ 12 says of strings joined by + is wrong (its bug 105651).
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow>
            # Collecting garbage from half a GiB on only saves gcc 8 % of its time, for 150 MiB.
            $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)
if(CMAKE_CXX_BYTE_ORDER STREQUAL "BIG_ENDIAN") # the library's order of numbers, mended
  target_include_directories(xorloom_build_flags SYSTEM INTERFACE ${PROJECT_SOURCE_DIR}/cmake/big_endian)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13
   AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # -O2 sets these, and -O1 does not. Where they differ, g++ 13 and later do not take a precompiled header.
  target_compile_options(xorloom_build_flags INTERFACE -munroll-only-small-loops -mvzeroupper)
endif()
if(XORLOOM_SANITIZE)
  target_compile_options(xorloom_build_flags INTERFACE -fsanitize=${XORLOOM_SANITIZE}
                                                       -fno-sanitize-recover=all)
  # Among a sanitizer's checks gcc loses track of what an std::optional holds.
  target_compile_options(xorloom_build_flags
                         INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # These checks stand at every load and store, which is a quarter of the time to compile. What they find is a fault of
  # memory as well, except for alignment, which gcc's preset checks at night.
  if(XORLOOM_SANITIZE MATCHES "undefined")
    target_compile_options(
      xorloom_build_flags
      INTERFACE $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=null,alignment,object-size,vptr,function>)
  endif()
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

# Folders that read what a stranger may have made, besides all of codes: fuzzers see which of their lines an input
# reaches.
set(XORLOOM_FUZZED atlas files protection shards)

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

# xorloom_precompile_as_rooms(TARGET)
#
# Gives a target the flags of the rooms, so that it shares their precompiled headers, which the first one makes.
function(xorloom_precompile_as_rooms target)
  set_target_properties(
    ${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                         VISIBILITY_INLINES_HIDDEN ON CXX_EXTENSIONS OFF)
  if(target STREQUAL "xorloom_codes")
    xorloom_precompile(xorloom_codes)
  else()
    xorloom_precompile(${target} REUSE_FROM xorloom_codes)
  endif()
endfunction()

# xorloom_unite(TARGET [COLD folder...])
#
# Compiles the sources of each folder of a target as one file, if XORLOOM_UNITY is on and they have no flags of
# their own. In COLD folders no time is spent that a user would notice: they are compiled with -O1.
function(xorloom_unite target)
  cmake_parse_arguments(PARSE_ARGV 1 unite "" "" "COLD")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${XORLOOM_UNITY} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(file IN LISTS sources)
    get_filename_component(folder ${file} DIRECTORY)
    string(MAKE_C_IDENTIFIER "of_${folder}" group)
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${group})
    if(XORLOOM_UNITY) # flags are those of the file that CMake writes for the group
      set(file ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${group}_cxx.cxx)
    endif()
    set(flags "")
    if(folder IN_LIST unite_COLD)
      list(APPEND flags $<$<CONFIG:Release>:-O1>)
    endif()
    if(XORLOOM_FUZZ AND (target STREQUAL "xorloom_codes" OR folder IN_LIST XORLOOM_FUZZED))
      list(APPEND flags -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp,indirect-calls)
    endif()
    if(flags)
      set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${flags}")
    endif()
  endforeach()
endfunction()

# xorloom_room(NAME SOURCES file... [COLD folder...] [LINK target...] [PRIVATE_LINK target...])
#
# Adds one room of the project (docs/architecture.md): a static library that links only leftwards.
# xorloom_unite explains COLD.
function(xorloom_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "SOURCES;COLD;LINK;PRIVATE_LINK")
  if(XORLOOM_SOURCES)
    list(FILTER room_SOURCES INCLUDE REGEX "${XORLOOM_SOURCES}")
  endif()
  add_library(xorloom_${name} STATIC ${room_SOURCES})
  target_include_directories(xorloom_${name} PUBLIC ${PROJECT_SOURCE_DIR}
                                                    ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(
    xorloom_${name}
    PUBLIC ${room_LINK}
    PRIVATE $<BUILD_INTERFACE:xorloom_build_flags> ${room_PRIVATE_LINK} ${XORLOOM_ATOMIC})
  xorloom_precompile_as_rooms(xorloom_${name})
  xorloom_unite(xorloom_${name} COLD ${room_COLD})
endfunction()

# xorloom_runnable(VARIABLE TARGET)
#
# Sets a variable to the file by which others start a program that was built: itself, or in a build for another
# processor a script that runs it by the emulator.
function(xorloom_runnable variable target)
  set(file $<TARGET_FILE:${target}>)
  if(CMAKE_CROSSCOMPILING_EMULATOR)
    get_target_property(name ${target} OUTPUT_NAME)
    if(NOT name)
      set(name ${target})
    endif()
    list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "' '" emulator)
    set(script ${PROJECT_BINARY_DIR}/emulated/${name})
    file(
      GENERATE
      OUTPUT ${script}
      CONTENT "#!/bin/sh\nexec '${emulator}' '${file}' \"$@\"\n"
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    set(file ${script})
  endif()
  set(${variable} ${file} PARENT_SCOPE)
endfunction()
