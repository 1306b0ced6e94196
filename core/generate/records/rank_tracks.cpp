#include "core/generate/records/rank_tracks.h"

#include <algorithm>

namespace altiscope::generate {

namespace {

struct ProcessFacts {
    std::string_view name;
    std::uint32_t layer;  ///< Also its sort index.
    std::string_view label;
};

/// As CANN 7 and 8.0 write them; layers are numbered differently in other versions.
constexpr std::array<ProcessFacts, kTraceProcesses> kProcesses{{{"Python", 0, "CPU"},
                                                                {"Ascend Hardware", 13, "NPU"},
                                                                {"HBM", 17, "NPU"},
                                                                {"LLC", 18, "NPU"},
                                                                {"NPU MEM", 19, "NPU"},
                                                                {"HCCL", 15, "NPU"},
                                                                {"Stars Soc Info", 20, "NPU"},
                                                                {"Acc PMU", 21, "NPU"},
                                                                {"CANN", 7, "CPU"},
                                                                {"QoS", 22, "NPU"},
                                                                {"Overlap Analysis", 23, "NPU"},
                                                                {"AI Core Freq", 14, "NPU"},
                                                                {"Python GC", 1, "CPU"}}};

std::string threadName(std::uint32_t tid) { return "Thread " + std::to_string(tid); }

}  // namespace

std::string_view processName(TraceProcess process) { return kProcesses[static_cast<std::size_t>(process)].name; }
std::uint32_t processLayer(TraceProcess process) { return kProcesses[static_cast<std::size_t>(process)].layer; }
std::string_view processLabel(TraceProcess process) { return kProcesses[static_cast<std::size_t>(process)].label; }

RankTracks::RankTracks(const RankIdentity& rank) {
    for (std::size_t i = 0; i < kTraceProcesses; ++i) {
        const auto process = static_cast<TraceProcess>(i);
        m_pids[i] = process == TraceProcess::Python ? rank.hostPid
                                                    : (rank.hostPid << 10) | (processLayer(process) << 5) | rank.device;
    }
    const std::uint32_t main = rank.hostPid;
    for (const std::uint32_t tid : {main, rank.autogradTid})
        m_tracks.push_back({TraceProcess::Python, tid, threadName(tid), tid});
    // The thread that takes tasks out of the queue is drawn below all others.
    m_tracks.push_back({TraceProcess::Python, rank.queueTid, threadName(rank.queueTid),
                        std::max(rank.autogradTid, rank.queueTid) + 1});
    for (const std::uint32_t tid : {main, rank.autogradTid, rank.queueTid, rank.cleanupTid}) {
        m_tracks.push_back({TraceProcess::Cann, tid, threadName(tid), tid});
    }
    m_tracks.push_back({TraceProcess::Hardware, 0, "Stream 0", 0});
    for (std::size_t i = 0; i < 2 + kMaxGroupSlots; ++i) {
        const std::uint32_t number = streamNumber(i);
        const bool used = i < 2 || rank.memberships[i - 2].has_value();
        m_tracks.push_back({TraceProcess::Hardware, number, "Stream " + std::to_string(number), number, used});
    }
    m_firstLane = static_cast<std::uint32_t>(m_tracks.size());
    constexpr std::array<const char*, kOverlapLanes> kLanes{"Computing", "Communication",
                                                            "Communication(Not Overlapped)", "Free"};
    for (std::uint32_t i = 0; i < kLanes.size(); ++i) m_tracks.push_back({TraceProcess::Overlap, i, kLanes[i], i});
    if (rank.recordsGarbageCollection) {
        m_garbage = static_cast<std::uint32_t>(m_tracks.size());
        m_tracks.push_back({TraceProcess::Garbage, main, "Python GC", 0});
    }
    std::uint32_t tid = 0;
    for (std::size_t slot = 0; slot < kMaxGroupSlots; ++slot) {
        m_firstPlane[slot] = static_cast<std::uint32_t>(m_tracks.size());
        if (!rank.memberships[slot]) continue;
        m_tracks.push_back({TraceProcess::Hccl, tid, "Group " + std::to_string(slot) + " Communication", tid});
        ++tid;
        for (std::size_t plane = 0; plane <= rank.memberships[slot]->peers.size(); ++plane, ++tid) {
            m_tracks.push_back({TraceProcess::Hccl, tid, "Plane " + std::to_string(plane), tid});
        }
    }
}

}  // namespace altiscope::generate
