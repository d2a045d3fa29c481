# SPDX-License-Identifier: GPL-3.0-or-later
# The whole loop with real programs: it builds kernels, so it takes a minute or more.
if(TARGET kernel-scientist-hipcc)
  gks_test(engine_real_loop DEPENDS gks_engine TIMEOUT 900 LABELS slow)
  gks_test(engine_survives_kill DEPENDS gks_campaign gks_process_table TIMEOUT 1800 LABELS slow)
  gks_test(campaign_by_model DEPENDS gks_engine gks_llm_test_support TIMEOUT 1200 LABELS slow)
  gks_test(engine_commands DEPENDS gks_campaign_samples TIMEOUT 300 LABELS integration)
  gks_test(run_waits DEPENDS gks_campaign_samples gks_llm_test_support TIMEOUT 300 LABELS integration)
  gks_test(evidence_replay DEPENDS gks_evidence_samples TIMEOUT 900 LABELS slow)
  foreach(test engine_real_loop campaign_by_model engine_survives_kill engine_commands run_waits evidence_replay)
    add_dependencies(${test} kernel-scientist-cli kernel-scientist-evaluator kernel-scientist-hipcc hipcpu)
    set_tests_properties(${test} PROPERTIES RUN_SERIAL ON)
  endforeach()
endif()
