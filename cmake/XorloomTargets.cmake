# How every target of the project is built. Our warnings and sanitizers apply to our own files, never to
# those of a user of the library.

add_library(xorloom_build_flags INTERFACE)
target_compile_features(xorloom_build_flags INTERFACE cxx_std_20)
target_compile_options(
  xorloom_build_flags
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
            $<$<BOOL:${XORLOOM_WERROR}>:-Werror>)
if(XORLOOM_SANITIZE)
  target_compile_options(xorloom_build_flags INTERFACE -fsanitize=${XORLOOM_SANITIZE}
                                                       -fno-sanitize-recover=all)
  target_link_options(xorloom_build_flags INTERFACE -fsanitize=${XORLOOM_SANITIZE})
  if(XORLOOM_SANITIZE MATCHES "undefined")
    # The sanitizer's messages stand in millions of pointers. A position-independent program fills them in
    # as it begins, which is half of the time of a short run.
    target_link_options(xorloom_build_flags INTERFACE
                        $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
endif()

# xorloom_room(NAME SOURCES file... [LINK target...] [PRIVATE_LINK target...])
#
# Adds one room of the project (docs/architecture.md): a static library that links only leftwards.
function(xorloom_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "SOURCES;LINK;PRIVATE_LINK")
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
endfunction()
