# SPDX-License-Identifier: GPL-3.0-or-later
# Debian and Ubuntu ship QScintilla for Qt 6 without a CMake package and without a .pc file. Gives the target QScintilla::Qt6.
find_package(Qt6 REQUIRED COMPONENTS Widgets PrintSupport)
find_path(QScintillaQt6_INCLUDE_DIR NAMES Qsci/qsciscintilla.h PATHS ${Qt6Core_INCLUDE_DIRS} PATH_SUFFIXES qt6)
find_library(QScintillaQt6_LIBRARY NAMES qscintilla2_qt6)
set(_qsci_header "${QScintillaQt6_INCLUDE_DIR}/Qsci/qsciglobal.h")
if(EXISTS "${_qsci_header}")
  file(STRINGS "${_qsci_header}" _qsci_line REGEX "define +QSCINTILLA_VERSION_STR")
  if(_qsci_line MATCHES "\"([0-9.]+)")
    set(QScintillaQt6_VERSION "${CMAKE_MATCH_1}")
  endif()
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(QScintillaQt6
  REQUIRED_VARS QScintillaQt6_LIBRARY QScintillaQt6_INCLUDE_DIR
  VERSION_VAR QScintillaQt6_VERSION
  REASON_FAILURE_MESSAGE "install libqscintilla2-qt6-dev")
if(QScintillaQt6_FOUND AND NOT TARGET QScintilla::Qt6)
  add_library(QScintilla::Qt6 SHARED IMPORTED)
  set_property(TARGET QScintilla::Qt6 PROPERTY IMPORTED_LOCATION "${QScintillaQt6_LIBRARY}")
  target_include_directories(QScintilla::Qt6 SYSTEM INTERFACE "${QScintillaQt6_INCLUDE_DIR}")
  target_compile_definitions(QScintilla::Qt6 INTERFACE QSCINTILLA_DLL)
  target_link_libraries(QScintilla::Qt6 INTERFACE Qt6::Widgets Qt6::PrintSupport)
endif()
