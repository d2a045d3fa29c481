// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gks {

// Structure before numbers: with Policies::tuningEvaluations a new structure of a model or a person is not judged by
// the values that its writer happened to choose. So many points of it are evaluated first, as experiments of the tuner;
// then its fastest kernel is compared with the fastest kernel of its parent's structure, and the gain is that of the
// experiment which led to the structure.
//
// This is the reading of a population for it: which structures there are and what is still due for each. The root of a
// structure is its oldest accepted kernel, its points are the tuner's experiments on any of its kernels, and it is
// judged when the root's experiment has its tuned gain. Pointers hold until the next follow().
class Structures {
public:
    struct Duel { // tuned against tuned
        const Kernel* root = nullptr;
        const Kernel* fastest = nullptr;
        const Kernel* rival = nullptr; // the fastest of the structure that the root's parent has
    };

    void follow(PopulationPtr population);

    bool areTuned() const; // by the settings
    // A point of the tuner in a campaign of a model; where the tuner is the scientist, its experiments are ordinary
    // ones.
    bool isPoint(const Experiment& experiment) const;
    // Something is due or under way, or the verdict of a structure is awaited that may be tuned then.
    bool areOpen() const;

    const Kernel* rootOf(const Kernel& kernel) const;
    const Kernel* fastestLike(const Kernel& kernel) const; // of its structure
    std::size_t pointsOf(const Kernel& root) const;
    const Kernel* dueRoot() const; // that wants one more point
    std::optional<Duel> dueDuel() const;

    // What this run adds to the population; a kill makes it due again.
    void setSearched(KernelId root) { m_searched.insert(root); } // without a point left to try
    void setDuelled(KernelId root, bool duelled);
    void forgetRun();

private:
    struct Phase {
        std::size_t points = 0;
        bool open = false; // some of them have no verdict yet
        bool wantsPoint = false;
        bool wantsDuel = false;
    };
    Phase phaseOf(const Kernel& root) const;
    bool isRoot(const Kernel& kernel) const;
    std::vector<const Kernel*> roots() const;
    const std::string& keyOf(const Kernel& kernel) const;
    const Kernel* parentOf(const Kernel& kernel) const;

    PopulationPtr m_population;
    mutable std::map<KernelId, std::string> m_keys; // by kernel, whose source never changes
    std::set<KernelId> m_searched;
    std::set<KernelId> m_duelled; // roots whose structures were compared
};

} // namespace gks
