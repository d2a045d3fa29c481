# SPDX-License-Identifier: GPL-3.0-or-later
# The runtime library of the CPU target. The library reads its settings once per process, so the orders are tests of their own.
foreach(topic blocks faults matrix streams)
  gks_test(hipcpu_runtime_${topic} DEPENDS hipcpu gks_base)
  target_compile_definitions(hipcpu_runtime_${topic} PRIVATE QT_NO_KEYWORDS) # `slots` is a word of the interface
  set_target_properties(hipcpu_runtime_${topic} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
endforeach()
add_test(NAME hipcpu_runtime_blocks_reversed COMMAND hipcpu_runtime_blocks)
add_test(NAME hipcpu_runtime_blocks_one_worker COMMAND hipcpu_runtime_blocks)
set_tests_properties(hipcpu_runtime_blocks_reversed PROPERTIES TIMEOUT 120 ENVIRONMENT "HIPCPU_ORDER=reversed;HIPCPU_THREADS=3")
set_tests_properties(hipcpu_runtime_blocks_one_worker PROPERTIES TIMEOUT 120 ENVIRONMENT "HIPCPU_THREADS=1")
# The structures that HIP programs share with the library, against AMD's own headers.
gks_test(hipcpu_runtime_layout DEPENDS hipcpu)
target_compile_options(hipcpu_runtime_layout PRIVATE -Wno-pedantic)
# As the runner has it: loaded at run time, functions found by name.
gks_test(hipcpu_runtime_loaded)
target_compile_definitions(hipcpu_runtime_loaded PRIVATE GKS_HIPCPU_LIBRARY="$<TARGET_FILE:hipcpu>")
target_link_libraries(hipcpu_runtime_loaded PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(hipcpu_runtime_loaded hipcpu)
# The device library as machine code, without the retargeter.
set(device_bitcode "${CMAKE_BINARY_DIR}/lib/kernel-scientist/hipcpu_device.bc")
set(device_object "${CMAKE_CURRENT_BINARY_DIR}/hipcpu_device.o")
add_custom_command(OUTPUT "${device_object}"
  COMMAND "${GKS_CLANG19}" -O2 -fPIC -Wno-override-module -c "${device_bitcode}" -o "${device_object}"
  DEPENDS hipcpu_device "${device_bitcode}" VERBATIM)
gks_test(hipcpu_device_library SOURCES hipcpu_device_library.cpp "${device_object}" DEPENDS hipcpu)
target_compile_definitions(hipcpu_device_library PRIVATE QT_NO_KEYWORDS)
set_target_properties(hipcpu_device_library PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
set_source_files_properties("${device_object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
gks_test(hipcpu_float8)
gks_test(hipcpu_race_detector DEPENDS hipcpu_replay)
