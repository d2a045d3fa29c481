# SPDX-License-Identifier: GPL-3.0-or-later
# The project's own build vocabulary: every library, program and test is declared with one of these three calls.
#   gks_library(NAME SOURCES ... [DEPENDS ...] [QT] [HOT])   NAME gives the target gks_NAME
#   gks_program(NAME SOURCES ... [DEPENDS ...] [QT])
#   gks_test(NAME [SOURCES ...] [DEPENDS ...] [GUI] [LABELS ...] [TIMEOUT seconds])   one QtTest executable and one ctest entry
# QT marks what may use Qt. Everything else is compiled without Qt's include directories, so a stray Qt include fails at once.
#
# Much of a build was the same standard, JSON and Qt headers again and again, so each layer has one precompiled header. It hides a missing
# include; the lint of changed files therefore configures without it (packaging/check.sh).

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/kernel-scientist")

find_program(GKS_CCACHE ccache)
if(GKS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this it passes over everything that reads a precompiled header, which is nearly all.
  set(GKS_CCACHE "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${GKS_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${GKS_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${GKS_CCACHE}")
endif()
# The lld that the project needs anyway, several times as fast as the linker of binutils. g++ looks for it without its version.
find_program(GKS_LLD NAMES ld.lld-19 ld.lld)
if(GKS_LLD)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/linker")
  file(CREATE_LINK "${GKS_LLD}" "${CMAKE_BINARY_DIR}/linker/ld.lld" SYMBOLIC)
  add_link_options(-fuse-ld=lld "-B${CMAKE_BINARY_DIR}/linker")
endif()

find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
option(GKS_PRECOMPILED_HEADERS "Precompile the headers that every file of a layer reads" ON)
option(GKS_JOINED_SOURCES "Compile several sources of a library as one: fastest for a whole build, slower after one change" OFF)
# Most of the code waits for people, models, compilers and devices: -O1 compiles it in two thirds of the time. What computes for long
# says HOT and gets -O2; the CPU runtime, which device code runs in, asks for more itself.
string(REPLACE "-O3" "-O1" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
# For libraries and programs alike (CMake's own variable says -fPIE for programs), so that both can read one precompiled header.
add_compile_options(-fPIC)

add_library(gks_options INTERFACE)
target_include_directories(gks_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(gks_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast
  -Woverloaded-virtual -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of impossible overlaps and lengths inside its own std::string, and of a
  # std::optional that it takes for uninitialised (GCC bugs 105651, 105329, 105762, 80635).
  target_compile_options(gks_options INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
    -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Its std::stable_sort is libstdc++'s, which uses what C++17 calls deprecated.
  target_compile_options(gks_options INTERFACE -Wno-deprecated-declarations)
endif()
if(GKS_WARNINGS_AS_ERRORS)
  target_compile_options(gks_options INTERFACE -Werror)
endif()

# One object library for each layer, which does nothing but own the header.
function(_gks_layer layer)
  cmake_parse_arguments(ARG "QT" "" "HEADERS;DEPENDS" ${ARGN})
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/layers/${layer}.cpp" CONTENT "// The owner of a precompiled header.\n")
  add_library(gks_layer_${layer} OBJECT "${CMAKE_BINARY_DIR}/layers/${layer}.cpp")
  target_link_libraries(gks_layer_${layer} PRIVATE gks_options ${ARG_DEPENDS})
  if(layer STREQUAL "hot") # g++ fails on a header that was made with another level
    target_compile_options(gks_layer_hot PRIVATE $<$<CONFIG:Release>:-O2>)
  elseif(layer MATCHES "test")
    target_compile_options(gks_layer_${layer} PRIVATE $<$<CONFIG:Release>:-O0>)
  endif()
  list(TRANSFORM ARG_HEADERS REPLACE "(.+)" "<\\1>")
  target_precompile_headers(gks_layer_${layer} PRIVATE ${ARG_HEADERS})
  if(ARG_QT)
    _gks_use_qt(gks_layer_${layer})
    set_target_properties(gks_layer_${layer} PROPERTIES AUTOMOC OFF)
  endif()
endfunction()

set(_gks_core_headers algorithm array chrono cmath cstdint filesystem fmt/format.h functional map memory mutex nlohmann/json.hpp optional
  set span string string_view thread tl/expected.hpp utility variant vector)

# What rests on gks_base reads the core layer's header, and the Qt layer's if it is marked QT. The few small libraries below it (the
# runner, the confining program, the CPU runtime) have flags of their own and read none.
function(_gks_use_layer target is_base qt depends) # qt: qt, hot, test or empty
  set(layer "")
  if(is_base)
    set(layer core)
  endif()
  foreach(dependency IN LISTS depends)
    if(TARGET ${dependency})
      get_target_property(below ${dependency} GKS_LAYER)
      if(below)
        set(layer core)
      endif()
      if(below STREQUAL "qt" AND qt STREQUAL "test")
        set(qt gui_test)
      endif()
    endif()
  endforeach()
  if(NOT layer)
    return()
  endif()
  if(qt STREQUAL "qt")
    set_target_properties(${target} PROPERTIES GKS_LAYER qt)
  else()
    set_target_properties(${target} PROPERTIES GKS_LAYER core)
  endif()
  if(NOT GKS_PRECOMPILED_HEADERS)
    return()
  endif()
  if(qt)
    set(layer ${qt})
  endif()
  if(NOT TARGET gks_layer_${layer})
    if(layer MATCHES "core|hot")
      _gks_layer(${layer} HEADERS ${_gks_core_headers} DEPENDS fmt::fmt nlohmann_json::nlohmann_json)
    elseif(layer STREQUAL "qt")
      _gks_layer(qt QT DEPENDS fmt::fmt nlohmann_json::nlohmann_json Qt6::Widgets Qt6::Svg
        HEADERS ${_gks_core_headers} QAbstractItemModel QAction QComboBox QDialog QHBoxLayout QLabel QLineEdit QPainter QPushButton
          QString QTableView QToolButton QTreeView QVBoxLayout QWidget)
    elseif(layer STREQUAL "test")
      _gks_layer(test DEPENDS fmt::fmt nlohmann_json::nlohmann_json gks_qttest
        HEADERS ${_gks_core_headers} QObject QSignalSpy QString QTemporaryDir QTest)
    else() # QTest has more to say where widgets are
      _gks_layer(gui_test DEPENDS fmt::fmt nlohmann_json::nlohmann_json gks_qttest Qt6::Widgets
        HEADERS ${_gks_core_headers} QLabel QLineEdit QObject QSignalSpy QString QTemporaryDir QTest QTreeView QWidget)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM gks_layer_${layer})
endfunction()

# Off where people work: one change compiles its neighbours too, and a file could lean on what its neighbour includes.
function(_gks_join_sources target)
  if(GKS_JOINED_SOURCES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

function(_gks_use_qt target)
  target_compile_definitions(${target} PRIVATE QT_NO_CAST_FROM_ASCII QT_NO_KEYWORDS QT_NO_FOREACH QT_USE_QSTRINGBUILDER
    QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
endfunction()

function(gks_library name)
  cmake_parse_arguments(ARG "QT;HOT" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(gks_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(gks_${name} PUBLIC gks_options ${ARG_DEPENDS})
  _gks_join_sources(gks_${name})
  set(layer "")
  if(ARG_QT)
    _gks_use_qt(gks_${name})
    set(layer qt)
  endif()
  if(ARG_HOT)
    target_compile_options(gks_${name} PRIVATE $<$<CONFIG:Release>:-O2>)
    set(layer hot)
  endif()
  string(COMPARE EQUAL "${name}" base is_base)
  _gks_use_layer(gks_${name} ${is_base} "${layer}" "${ARG_DEPENDS}")
endfunction()

function(gks_program name)
  cmake_parse_arguments(ARG "QT" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE gks_options ${ARG_DEPENDS})
  _gks_join_sources(${name})
  set(layer "")
  if(ARG_QT)
    _gks_use_qt(${name})
    set(layer qt)
  endif()
  _gks_use_layer(${name} OFF "${layer}" "${ARG_DEPENDS}")
endfunction()

# Tests always use QtTest; core tests use QTEST_APPLESS_MAIN and only Qt6::Core with Qt6::Test, so they need no window system.
function(gks_test name)
  cmake_parse_arguments(ARG "GUI" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT ARG_SOURCES)
    set(ARG_SOURCES ${name}.cpp)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE gks_options ${ARG_DEPENDS} gks_qttest)
  _gks_use_layer(${name} OFF test "${ARG_DEPENDS}")
  # What is tested is in the libraries: nothing is gained by optimising the tests, and half of their compile time is lost by it.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  # AUTOMOC starts CMake and compiles a source of its own for every test: an eighth of the whole build.
  set(written ${ARG_SOURCES})
  list(FILTER written INCLUDE REGEX "^[a-z0-9_]+\\.cpp$")
  foreach(source ${written})
    file(STRINGS ${source} included REGEX "^#include \".*\\.moc\"")
    if(included)
      get_filename_component(moc ${source} NAME_WE)
      qt_generate_moc(${source} "${CMAKE_CURRENT_BINARY_DIR}/${moc}.moc")
      target_sources(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${moc}.moc")
      target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    endif()
  endforeach()
  target_compile_definitions(${name} PRIVATE
    GKS_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GKS_BINARY_DIR="${CMAKE_BINARY_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=") # everything takes several times as long
    math(EXPR ARG_TIMEOUT "6 * ${ARG_TIMEOUT}")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;GKS_BUILD_DIR=${CMAKE_BINARY_DIR};LC_ALL=C.UTF-8;GKS_STATE=${CMAKE_BINARY_DIR}/test-state")
endfunction()
