// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/database.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <random>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gks;
using namespace gks::test;

// A child writes rounds of experiments, kernels and evaluations as fast as it can and reports every call that returned;
// it is killed at a random moment. What was reported must be there, nothing may be there by halves, and the next child
// goes on.
class CampaignSurvivesKill : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void killedAtRandomMoments();
};

namespace {

// One byte per finished call: e(xperiments), k(ernel), v(erdict).
void report(int descriptor, char what) {
    [[maybe_unused]] const ssize_t put = ::write(descriptor, &what, 1);
}

[[noreturn]] void writeForever(const std::filesystem::path& file, int descriptor) {
    auto store = CampaignStore::open(file);
    if (!store || !(*store)->recover()) {
        ::_exit(1);
    }
    for (int i = 0;; ++i) {
        const auto ids =
            (*store)->addExperiments({sampleExperiment(1, "a"), sampleExperiment(1, "b"), sampleExperiment(1, "c")});
        report(descriptor, 'e');
        Kernel kernel = sampleKernel(1, fmt::format("int k{}_{};", ::getpid(), i) + randomText(3000));
        kernel.experiment = ids->front();
        const auto id = (*store)->addKernel(kernel);
        report(descriptor, 'k');
        if (!id || !(*store)->setKernelState(*id, KernelState::evaluating) ||
            !(*store)->addEvaluation(sampleEvaluation(*id, 50, 1))) {
            ::_exit(2);
        }
        report(descriptor, 'v');
    }
}

struct Reported {
    std::size_t rounds = 0;
    std::size_t kernels = 0;
    std::size_t evaluations = 0;
};

void count(int descriptor, Reported& reported) {
    std::array<char, 4096> bytes{};
    for (ssize_t got = 0; (got = ::read(descriptor, bytes.data(), bytes.size())) > 0;) {
        for (ssize_t i = 0; i < got; ++i) {
            const char c = bytes[static_cast<std::size_t>(i)];
            ++(c == 'e' ? reported.rounds : c == 'k' ? reported.kernels : reported.evaluations);
        }
    }
}

// So many calls are done, however slow the machine is.
bool waitForReports(int descriptor, int count) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (int there = 0; std::chrono::steady_clock::now() < end; ::usleep(1000)) {
        if (::ioctl(descriptor, FIONREAD, &there) == 0 && there >= count) {
            return true;
        }
    }
    return false;
}

} // namespace

void CampaignSurvivesKill::killedAtRandomMoments() {
    Campaign campaign;
    campaign.store.reset();
    Reported reported;
    std::mt19937 random(std::random_device{}());
    constexpr int kills = 20;
    for (int round = 0; round < kills; ++round) {
        std::array<int, 2> pipe{};
        QCOMPARE(::pipe(pipe.data()), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            ::close(pipe[0]);
            writeForever(campaign.file, pipe[1]);
        }
        ::close(pipe[1]);
        if (round % 2 == 1) {
            QVERIFY2(waitForReports(pipe[0], 3), "nothing was written");
        }
        ::usleep(static_cast<useconds_t>(
            20'000 +
            random() % 80'000)); // the moment of the kill is the random input of this test, nothing waits for it
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY2(WIFSIGNALED(status), "the writer ended by itself");
        count(pipe[0], reported);
        ::close(pipe[0]);

        const auto database = Database::open(campaign.file.string(), Database::Access::readWrite).value();
        std::string finding;
        QVERIFY(database.each("PRAGMA integrity_check", {}, [&](const Row& row) -> Result<void> {
            finding += row.text(0);
            return {};
        }));
        QCOMPARE(finding, std::string("ok"));
        const auto number = [&](const char* sql) {
            return static_cast<std::size_t>(database.integer(sql).value().value());
        };
        QVERIFY(database.each("PRAGMA foreign_key_check", {},
                              [](const Row&) { return Result<void>(infrastructureError("dangling")); }));
        QVERIFY(number("SELECT count(*) FROM experiment") >= 3 * reported.rounds);
        QCOMPARE(number("SELECT count(*) FROM experiment") % 3, 0u);
        QVERIFY(number("SELECT count(*) FROM kernel") >= 2 + reported.kernels);
        QVERIFY(number("SELECT count(*) FROM evaluation") >= reported.evaluations);
        // An evaluation, its samples, the kernel's summary, its experiment and the spend come together or not at all.
        QCOMPARE(number("SELECT evaluations FROM campaign"), number("SELECT count(*) FROM evaluation"));
        QCOMPARE(number("SELECT count(*) FROM samples"), 2 * number("SELECT count(*) FROM evaluation"));
        QCOMPARE(number("SELECT count(*) FROM kernel WHERE state = 'evaluated'"),
                 number("SELECT count(*) FROM evaluation"));
        QCOMPARE(number("SELECT count(*) FROM experiment WHERE state = 'done'"),
                 number("SELECT count(*) FROM evaluation"));
        QCOMPARE(number("SELECT count(*) FROM experiment WHERE kernel IS NOT NULL"),
                 number("SELECT count(*) FROM kernel") - 2);
    }
    QVERIFY(reported.evaluations > 0);
    campaign.reopen();
    QVERIFY(campaign.store->recover());
    const auto population = campaign.store->population().value();
    for (const Kernel& kernel : population->kernels) {
        QVERIFY(kernel.state != KernelState::evaluating);
    }
}

QTEST_APPLESS_MAIN(CampaignSurvivesKill)
#include "campaign_survives_kill.moc"
