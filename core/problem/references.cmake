# SPDX-License-Identifier: GPL-3.0-or-later
# References of the built-in packs, compiled ahead for two generations of processors, so that a first evaluation does not wait for
# a compiler. Named after the content of their source: core/judge/evaluator/trial/reference_library.cpp takes one only for the very same text.
set(GKS_REFERENCE_PACKS attention-forward fp8-gemm rms-norm row-softmax sum-reduction)
set(GKS_REFERENCE_FOLDER "${CMAKE_BINARY_DIR}/lib/kernel-scientist/references")
set(GKS_REFERENCE_FOLDER "${GKS_REFERENCE_FOLDER}" CACHE INTERNAL "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(levels x86-64-v3 x86-64-v4)
else()
  set(levels "") # elsewhere they are compiled when they are needed
endif()
set(references "")
foreach(pack IN LISTS GKS_REFERENCE_PACKS)
  set(source "${PROJECT_SOURCE_DIR}/resources/problems/${pack}/reference.cpp")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(SHA256 "${source}" hash)
  foreach(level IN LISTS levels)
    set(library "${GKS_REFERENCE_FOLDER}/${hash}-${level}.so")
    add_custom_command(OUTPUT "${library}" DEPENDS "${source}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${GKS_REFERENCE_FOLDER}"
      COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 -O3 -march=${level} -shared -fPIC -static-libstdc++ -static-libgcc -s "${source}"
        -o "${library}"
      COMMENT "Building reference of ${pack} for ${level}" VERBATIM)
    list(APPEND references "${library}")
  endforeach()
endforeach()
add_custom_target(references ALL DEPENDS ${references})
add_dependencies(gks_problem references)
