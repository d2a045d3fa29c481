# SPDX-License-Identifier: GPL-3.0-or-later
# Compile side of the cpu target.
gks_test(hipcpu_options DEPENDS gks_hipcpu_options)
gks_test(hipcpu_matrix_names DEPENDS gks_hipcpu)
gks_test(hipcpu_retarget DEPENDS gks_hipcpu)
add_dependencies(hipcpu_retarget hipcpu_device)
