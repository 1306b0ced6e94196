#pragma once

#include "core/capture/session/record.h"
#include "core/capture/targets/result_listing.h"

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace altiscope::capture {

/// What is known about the end of the job when results are judged.
enum class JobState { Unknown, Runs, EndedWell, Failed };

/// Since when something has been the same.
class StableSince {
public:
    using Time = std::chrono::steady_clock::time_point;

    void note(bool same, Time now = std::chrono::steady_clock::now()) {
        m_looks = same ? m_looks + 1 : 0;
        if (!same) m_since = now;
    }
    /// At so many looks after the first, and for so long.
    bool lasts(int looks, std::chrono::seconds time = std::chrono::seconds(0),
               Time now = std::chrono::steady_clock::now()) const {
        return m_looks >= looks && now - m_since >= time;
    }

private:
    int m_looks = 0;
    Time m_since = std::chrono::steady_clock::now();
};

/// Follows results over several looks: one that has no mark of its end is complete once it stays the same.
///
/// Marks of an end, by tool: torch_npu writes profiler_info_<rank>.json after the recording and analyse.done after the
/// analysis, also after one that failed, which then has no tables or errors in its logs; MindSpore has no mark of the
/// analysis; msprof writes host/end_info and exports afterwards.
class ResultWatch {
public:
    /// Judges what was listed, in the order of the times in the names.
    std::vector<RankRecord> look(const Listing& listing, ResultKind kind, Analysis analysis, JobState job,
                                 StableSince::Time now = std::chrono::steady_clock::now());
    /// For how long nothing has changed at all.
    const StableSince& stable() const { return m_stable; }

private:
    struct Seen {
        std::string print;  ///< Names, sizes and times of all files.
        StableSince stable;
    };
    std::map<std::string, Seen> m_seen;
    StableSince m_stable;
    std::size_t m_count = 0;
};

}  // namespace altiscope::capture
