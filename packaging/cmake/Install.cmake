# SPDX-License-Identifier: GPL-3.0-or-later
# cmake --install BUILD --prefix P                    the whole product
# cmake --install BUILD --prefix P --component judge  what judges kernels on a machine with a GPU: no Qt, no clang
# Both give one folder that may be moved: programs find the rest beside themselves (core/base/locations.cpp), and shared
# libraries that a plain system does not have lie in lib/kernel-scientist/deps.

# Every component by name, so that nothing lands in one that nobody asks for.
set(GKS_JUDGE_PROGRAMS kernel-scientist-cli kernel-scientist-evaluator kernel-scientist-oracle kernel-scientist-planner
  kernel-scientist-runner kernel-scientist-confine)
set(GKS_CPU_PROGRAMS kernel-scientist-hipcc kernel-scientist-cpu-runner)
set(GKS_WORKBENCH_PROGRAMS kernel-scientist)
set(GKS_LIBRARY_FOLDER lib/kernel-scientist)
set(GKS_SHARE_FOLDER share/kernel-scientist)

# What every system with a C++ compiler has. libstdc++ is not shipped: a reference or a module built there may need a newer one.
set(GKS_BASE_LIBRARIES "^(ld-linux.*|linux-vdso|lib(c|m|pthread|dl|rt|resolv|util|gcc_s|stdc\\+\\+))\\.so")

# OPTIONAL: what is not built is not installed.
function(gks_install_programs component)
  cmake_parse_arguments(ARG "OPTIONAL" "" "" ${ARGN})
  set(optional "")
  if(ARG_OPTIONAL)
    set(optional OPTIONAL)
  endif()
  foreach(program IN LISTS ARG_UNPARSED_ARGUMENTS)
    if(TARGET ${program})
      set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/../${GKS_LIBRARY_FOLDER}/deps")
      # The old kind of path also serves the libraries that libraries need.
      target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
      install(TARGETS ${program} RUNTIME DESTINATION bin COMPONENT ${component} ${optional})
    endif()
  endforeach()
endfunction()

# Strips the installed programs of a component and copies the libraries that they need beside them.
function(gks_install_dependencies component)
  list(TRANSFORM ARGN PREPEND "\${CMAKE_INSTALL_PREFIX}/bin/" OUTPUT_VARIABLE programs)
  install(CODE "
    set(programs \"${programs}\")
    set(deps \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${GKS_LIBRARY_FOLDER}/deps\")
    list(TRANSFORM programs PREPEND \"\$ENV{DESTDIR}\")
    file(REMOVE_RECURSE \"\${deps}\") # of an earlier installation: they would be found beside the system's
    execute_process(COMMAND \"${CMAKE_STRIP}\" \${programs} COMMAND_ERROR_IS_FATAL ANY)
    file(GET_RUNTIME_DEPENDENCIES RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing
      EXECUTABLES \${programs}
      PRE_EXCLUDE_REGEXES [==[${GKS_BASE_LIBRARIES}]==])
    if(missing)
      message(FATAL_ERROR \"shared libraries not found: \${missing}\")
    endif()
    foreach(library IN LISTS found)
      file(INSTALL \"\${library}\" DESTINATION \"\${deps}\" FOLLOW_SYMLINK_CHAIN)
    endforeach()
  " COMPONENT ${component})
endfunction()

gks_install_programs(judge ${GKS_JUDGE_PROGRAMS})
foreach(program IN ITEMS kernel-scientist-oracle kernel-scientist-planner kernel-scientist-runner kernel-scientist-confine)
  target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc)
endforeach()
# They need nothing but the C library, and what they load must get the system's libraries, not ours.
set_target_properties(kernel-scientist-oracle kernel-scientist-planner PROPERTIES INSTALL_RPATH "")
gks_install_dependencies(judge ${GKS_JUDGE_PROGRAMS})
install(TARGETS cuda_capture hip_capture LIBRARY DESTINATION ${GKS_LIBRARY_FOLDER} COMPONENT judge)
install(DIRECTORY resources prompts DESTINATION ${GKS_SHARE_FOLDER} COMPONENT judge PATTERN "*.png" EXCLUDE
  PATTERN samples EXCLUDE)
install(DIRECTORY core/target/cuda DESTINATION ${GKS_SHARE_FOLDER} COMPONENT judge)
# The report of a kernel needs them as well, where the installed HIP is old.
install(DIRECTORY core/hipcpu/include/ DESTINATION ${GKS_LIBRARY_FOLDER}/include COMPONENT judge FILES_MATCHING PATTERN "*.h"
  PATTERN "*.hpp")
install(DIRECTORY "${GKS_REFERENCE_FOLDER}" DESTINATION ${GKS_LIBRARY_FOLDER} COMPONENT judge)
install(FILES LICENSE DESTINATION ${GKS_SHARE_FOLDER} COMPONENT judge)
install(PROGRAMS packaging/check_device.sh DESTINATION ${GKS_SHARE_FOLDER} COMPONENT judge)

# The cpu target compiles with the system's clang 19, whose libLLVM comes with it.
gks_install_programs(cpu ${GKS_CPU_PROGRAMS})
install(TARGETS hipcpu LIBRARY DESTINATION ${GKS_LIBRARY_FOLDER} COMPONENT cpu)
install(FILES "${CMAKE_BINARY_DIR}/lib/kernel-scientist/hipcpu_device.bc" DESTINATION ${GKS_LIBRARY_FOLDER} COMPONENT cpu)

# The window uses the system's Qt.
if(GKS_WORKBENCH)
  install(TARGETS ${GKS_WORKBENCH_PROGRAMS} RUNTIME DESTINATION bin COMPONENT workbench)
  install(DIRECTORY resources/samples DESTINATION ${GKS_SHARE_FOLDER}/resources COMPONENT workbench)
  install(FILES resources/docs/workbench.png DESTINATION ${GKS_SHARE_FOLDER}/resources/docs COMPONENT workbench)
  # Where packaging/gallery.sh has drawn them; where not, the manual says so.
  install(CODE "
    if(NOT EXISTS \"${CMAKE_SOURCE_DIR}/resources/docs/gallery\")
      message(STATUS \"The manual has no pictures yet: run packaging/gallery.sh, then install again\")
    endif()" COMPONENT workbench)
  install(DIRECTORY resources/docs/gallery DESTINATION ${GKS_SHARE_FOLDER}/resources/docs COMPONENT workbench OPTIONAL FILES_MATCHING PATTERN "*.png")
endif()

# What judges kernels, packed for the machines that lanes reach (core/remote): one file, the same for the same build.
set(GKS_EVALUATOR_ARCHIVE "${CMAKE_BINARY_DIR}/${GKS_LIBRARY_FOLDER}/evaluator.tar.gz")
file(GLOB_RECURSE packed resources/*.toml resources/*.h resources/*.hip resources/*.cpp prompts/* core/hipcpu/include/*.h core/hipcpu/include/*.hpp core/target/cuda/*)
set(unpacked "${CMAKE_BINARY_DIR}/evaluator")
add_custom_command(OUTPUT "${GKS_EVALUATOR_ARCHIVE}"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${unpacked}"
  COMMAND "${CMAKE_COMMAND}" --install "${CMAKE_BINARY_DIR}" --prefix "${unpacked}" --component judge > evaluator.log
  COMMAND "${CMAKE_COMMAND}" --install "${CMAKE_BINARY_DIR}" --prefix "${unpacked}" --component cpu > evaluator.log
  COMMAND tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --exclude=judge_calibration -C "${unpacked}" -cf - .
    | gzip -n -1 > "${GKS_EVALUATOR_ARCHIVE}"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${unpacked}"
  DEPENDS ${GKS_JUDGE_PROGRAMS} ${GKS_CPU_PROGRAMS} hipcpu hip_capture cuda_capture hipcpu_device references ${packed}
  COMMENT "Packing the evaluator for other machines" VERBATIM)
add_custom_target(evaluator_archive ALL DEPENDS "${GKS_EVALUATOR_ARCHIVE}")
install(FILES "${GKS_EVALUATOR_ARCHIVE}" DESTINATION ${GKS_LIBRARY_FOLDER} COMPONENT remote)
