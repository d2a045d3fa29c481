// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/slurm_cluster.h"

#include "core/base/locations.h"
#include "core/base/text.h"
#include "tests/support/completed.h"

#include <QElapsedTimer>
#include <csignal>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

namespace gks::test {
namespace {

namespace fs = std::filesystem;
const std::vector<fs::path> administrators = {"/usr/sbin", "/sbin"};
constexpr const char* controller = "slurmctld";
constexpr int upPatienceMs = 60'000;

} // namespace

std::unique_ptr<SlurmCluster> SlurmCluster::start(std::string& why) {
    for (const char* program : {"slurmctld", "slurmd", "srun"}) {
        if (!findProgram(program, administrators)) {
            why = fmt::format("{} is not installed", program);
            return nullptr;
        }
    }
    auto cluster = std::unique_ptr<SlurmCluster>(new SlurmCluster(TemporaryDirectory::create("gks-slurm").value()));
    cluster->prepare();
    cluster->startController();
    for (const char* node : {"gks1", "gks2"}) {
        cluster->startNode(node);
    }
    QElapsedTimer timer;
    timer.start();
    while (trimmed(cluster->output({"sinfo", "-h", "-t", "idle", "-o", "%D"})) != "2") {
        if (timer.elapsed() > upPatienceMs) {
            why = "Slurm does not come up: " + cluster->output({"sinfo", "-N", "-h"}) +
                  readFile(cluster->m_folder.path() / "slurmd-gks1.log").value_or("");
            return nullptr;
        }
        ::usleep(100'000);
    }
    return cluster;
}

void SlurmCluster::prepare() const {
    const std::string folder = m_folder.path().string();
    for (const char* part : {"state", "gks1", "gks2", "cache"}) {
        fs::create_directory(m_folder.path() / part);
    }
    const passwd* const user = ::getpwuid(::geteuid());
    const int base = 20000 + ::getpid() % 20000; // ports: another test may run beside
    const std::string machine = machineName();
    std::string text = fmt::format(
        "ClusterName=gks\nSlurmctldHost={0}(127.0.0.1)\nSlurmUser={1}\nSlurmdUser={1}\nAuthType=auth/none\n"
        "CredType=cred/none\nMpiDefault=none\nSlurmctldPort={3}\nSlurmctldPidFile={2}/slurmctld.pid\n"
        "SlurmdPidFile={2}/%n.pid\nStateSaveLocation={2}/state\nSlurmdSpoolDir={2}/%n\n"
        "SlurmctldLogFile={2}/slurmctld.log\nSlurmdLogFile={2}/slurmd-%n.log\nProctrackType=proctrack/linuxproc\n"
        "TaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none\nSelectType=select/cons_tres\n"
        "SelectTypeParameters=CR_Core\nReturnToService=2\nSlurmdTimeout=10\nKillWait=2\nMinJobAge=600\n"
        "SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=5\n"
        "AccountingStorageType=accounting_storage/none\nGresTypes=gpu\n",
        machine, user->pw_name, folder, base);
    int port = base;
    for (const char* node : {"gks1", "gks2"}) {
        text +=
            fmt::format("NodeName={} NodeHostname={} NodeAddr=127.0.0.1 Port={} CPUs=2 RealMemory=1000 Gres=gpu:mi:1\n",
                        node, machine, ++port);
    }
    text += "PartitionName=gpu Nodes=gks1,gks2 Default=YES MaxTime=INFINITE State=UP\n";
    if (!writeFileAtomically(m_folder.path() / "slurm.conf", text) ||
        !writeFileAtomically(m_folder.path() / "gres.conf", "NodeName=gks1 Name=gpu Type=mi File=/dev/null\n"
                                                            "NodeName=gks2 Name=gpu Type=mi File=/dev/zero\n") ||
        !writeFileAtomically(m_folder.path() / "cgroup.conf", "CgroupPlugin=cgroup/v1\n")) {
        qFatal("cannot write Slurm's configuration");
    }
    ::setenv("SLURM_CONF", (m_folder.path() / "slurm.conf").c_str(), 1);
}

void SlurmCluster::startController() {
    m_daemons[controller] = std::make_unique<ChildProcess>(
        ChildProcess::start({.arguments = {findProgram(controller, administrators)->string(), "-D"}}).value());
}

void SlurmCluster::restartController() {
    ChildProcess& old = *m_daemons.at(controller);
    ::kill(old.pid(), SIGTERM); // it writes down what it knows
    old.wait(std::chrono::seconds(20));
    m_daemons.erase(controller);
    startController();
}

void SlurmCluster::startNode(const std::string& node) {
    m_daemons[node] = std::make_unique<ChildProcess>(
        ChildProcess::start({.arguments = {findProgram("slurmd", administrators)->string(), "-D", "-N", node}})
            .value());
}

std::string SlurmCluster::output(const std::vector<std::string>& command) const {
    return completed({.arguments = command}).output;
}

SlurmCluster::~SlurmCluster() {
    completed({.arguments = {"scancel", "--me"}});
    for (const auto& [name, daemon] : m_daemons) {
        ::kill(daemon->pid(), SIGTERM);
        daemon->wait(std::chrono::seconds(10));
    }
    m_daemons.clear();
    ::unsetenv("SLURM_CONF");
}

} // namespace gks::test
