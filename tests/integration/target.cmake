# SPDX-License-Identifier: GPL-3.0-or-later
gks_test(target_sandboxed_build DEPENDS gks_judge LABELS integration)
add_dependencies(target_sandboxed_build kernel-scientist-confine kernel-scientist-hipcc)
gks_test(cli_commands DEPENDS gks_target LABELS integration TIMEOUT 300)
add_dependencies(cli_commands kernel-scientist-cli kernel-scientist-evaluator)
