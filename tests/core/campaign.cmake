# SPDX-License-Identifier: GPL-3.0-or-later
# The campaign file and the engine.
gks_test(campaign_store DEPENDS gks_campaign_samples)
gks_test(campaign_lessons DEPENDS gks_campaign_samples)
gks_test(campaign_bad_files DEPENDS gks_campaign_samples)
gks_test(campaign_survives_kill DEPENDS gks_campaign_samples)
gks_test(engine_scheduling DEPENDS gks_engine_fakes)
gks_test(engine_tuning DEPENDS gks_engine_fakes)
gks_test(engine_lanes DEPENDS gks_engine_fakes)
gks_test(engine_documents DEPENDS gks_engine_fakes)
gks_test(engine_proposals DEPENDS gks_engine_fakes)
gks_test(engine_structures DEPENDS gks_engine)
gks_test(engine_steering DEPENDS gks_engine_fakes)
