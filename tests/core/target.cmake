# SPDX-License-Identifier: GPL-3.0-or-later
gks_test(sandbox_wall DEPENDS gks_judge)
add_dependencies(sandbox_wall kernel-scientist-confine)
gks_test(target_static_report DEPENDS gks_target)
gks_test(target_build_cache DEPENDS gks_target)
gks_test(target_build_plan DEPENDS gks_target)
add_dependencies(target_build_plan kernel-scientist-hipcc)
gks_test(target_cuda_build DEPENDS gks_evaluator TIMEOUT 300)
add_dependencies(target_cuda_build kernel-scientist-confine)
