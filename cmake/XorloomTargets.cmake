# How every target of the project is made: our warnings and sanitizers on our own files, never on
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
    # What it may have to say stands in millions of pointers, which a program that can be loaded anywhere
    # fills in as it begins: half of the time that a short run takes.
    target_link_options(xorloom_build_flags INTERFACE
                        $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
endif()

# xorloom_room(NAME SOURCES file... [LINK target...] [PRIVATE_LINK target...])
#
# One room of the project (docs/architecture.md): a static library that links only leftwards.
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
