# SPDX-License-Identifier: GPL-3.0-or-later
# Compile side of the cpu target.
gks_test(hipcpu_options DEPENDS gks_hipcpu_options)
gks_test(hipcpu_matrix_names DEPENDS gks_hipcpu)
gks_test(hipcpu_precompiled_headers DEPENDS gks_hipcpu)
gks_test(hipcpu_link_line DEPENDS gks_hipcpu)
add_dependencies(hipcpu_link_line kernel-scientist-hipcc hipcpu hipcpu_device)
foreach(test IN ITEMS hipcpu_assembly hipcpu_retarget hipcpu_regions hipcpu_parts)
  gks_test(${test} DEPENDS gks_hipcpu)
  add_dependencies(${test} hipcpu_device)
endforeach()
