// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Where the parts of the program find each other: beside the running executable first (build tree and relocated
// install), then the installation. Every folder can be overridden by an environment variable, for tests and unusual
// set-ups.
namespace gks {

std::string_view programVersion();
// This machine's name for itself.
std::string machineName();

// The folder of the running executable.
std::filesystem::path executableFolder();
// A sibling program, e.g. "kernel-scientist-evaluator": beside this executable, or in ../libexec/kernel-scientist.
std::filesystem::path siblingProgram(std::string_view name);
// resources/ of the source tree or share/kernel-scientist of the installation. GKS_RESOURCES overrides.
std::filesystem::path resourceFolder();
// prompts/ likewise. GKS_PROMPTS overrides.
std::filesystem::path promptFolder();
// libhipcpu.so, its device library bitcode and headers. GKS_HIPCPU overrides.
std::filesystem::path hipcpuFolder();
// The folder that holds hip/*.h for nvcc. GKS_CUDA_HEADERS overrides.
std::filesystem::path cudaHeaderFolder();
// References of the built-in packs, compiled ahead: <SHA-256 of the source>-<level>.so.
std::filesystem::path referenceFolder();
// What judges kernels, packed for another machine; it need not be there. GKS_EVALUATOR_ARCHIVE overrides.
std::filesystem::path evaluatorArchive();
// Where all users of this machine can lock a device: /run/lock, or /tmp where that is not everybody's. GKS_LOCKS
// overrides.
std::filesystem::path sharedLockFolder();
// $XDG_CACHE_HOME/kernel-scientist; GKS_CACHE overrides.
std::filesystem::path cacheFolder();
// $XDG_DATA_HOME/kernel-scientist: campaigns that the user did not name a place for. GKS_DATA overrides.
std::filesystem::path dataFolder();
// $XDG_CONFIG_HOME/kernel-scientist: user's models.toml, prompts, settings. GKS_CONFIG overrides.
std::filesystem::path configFolder();
// $XDG_STATE_HOME/kernel-scientist: what is going on now, see core/campaign/running.h. GKS_STATE overrides.
std::filesystem::path stateFolder();

} // namespace gks
