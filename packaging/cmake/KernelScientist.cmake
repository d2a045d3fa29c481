# SPDX-License-Identifier: GPL-3.0-or-later
# The project's own build vocabulary: every library, program and test is declared with one of these three calls.
#   gks_library(NAME SOURCES ... [DEPENDS ...] [QT])      NAME gives the target gks_NAME
#   gks_program(NAME SOURCES ... [DEPENDS ...] [QT])
#   gks_test(NAME [SOURCES ...] [DEPENDS ...] [GUI] [LABELS ...] [TIMEOUT seconds])   one QtTest executable and one ctest entry
# QT marks what may use Qt. Everything else is compiled without Qt's include directories, so a stray Qt include fails at once.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/kernel-scientist")

find_program(GKS_CCACHE ccache)
if(GKS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${GKS_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${GKS_CCACHE}")
endif()
find_program(GKS_MOLD mold)
if(GKS_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_library(gks_options INTERFACE)
target_include_directories(gks_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(gks_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast
  -Woverloaded-virtual -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 at -O3 warns of impossible overlaps inside its own std::string (GCC bug 105651).
  target_compile_options(gks_options INTERFACE -Wno-restrict)
endif()
if(GKS_WARNINGS_AS_ERRORS)
  target_compile_options(gks_options INTERFACE -Werror)
endif()

function(_gks_use_qt target)
  target_compile_definitions(${target} PRIVATE QT_NO_CAST_FROM_ASCII QT_NO_KEYWORDS QT_NO_FOREACH QT_USE_QSTRINGBUILDER
    QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
endfunction()

function(gks_library name)
  cmake_parse_arguments(ARG "QT" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(gks_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(gks_${name} PUBLIC gks_options ${ARG_DEPENDS})
  if(ARG_QT)
    _gks_use_qt(gks_${name})
  endif()
endfunction()

function(gks_program name)
  cmake_parse_arguments(ARG "QT" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE gks_options ${ARG_DEPENDS})
  if(ARG_QT)
    _gks_use_qt(${name})
  endif()
endfunction()

# Tests always use QtTest; core tests use QTEST_APPLESS_MAIN and only Qt6::Core with Qt6::Test, so they need no window system.
function(gks_test name)
  cmake_parse_arguments(ARG "GUI" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT ARG_SOURCES)
    set(ARG_SOURCES ${name}.cpp)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE gks_options ${ARG_DEPENDS} Qt6::Test)
  set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_compile_definitions(${name} PRIVATE
    GKS_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GKS_BINARY_DIR="${CMAKE_BINARY_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;GKS_BUILD_DIR=${CMAKE_BINARY_DIR};LC_ALL=C.UTF-8;GKS_STATE=${CMAKE_BINARY_DIR}/test-state")
endfunction()
