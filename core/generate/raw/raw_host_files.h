#pragma once

#include "core/generate/raw/raw_clocks.h"
#include "core/generate/raw/raw_output.h"
#include "core/generate/raw/raw_texts.h"
#include "core/generate/records/rank_tracks.h"
#include "core/generate/records/unit_record.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace altiscope::generate {

/// What runtime, graph engine and HCCL say on the host, in the files of `host/data`.
///
/// Each kernel is launched within a node call of its own, at the moment at which its flow begins; copies and events
/// within their acl call; a collective within the flush of HCCL, as one FFTS+ task whose contexts are its small
/// operations. Source: core/import/raw_records/FORMAT.md.
class RawHostFiles {
public:
    RawHostFiles(const Run& run, const RankTracks& tracks, std::uint32_t rank, OutputTarget& target,
                 const std::filesystem::path& folder);

    /// Units in their order.
    Result<Done> unit(const UnitRecord& record);
    /// Writes the dictionaries, too.
    Result<Done> close();

private:
    struct Launch {
        const ApiSlice *call = nullptr, *node = nullptr, *flush = nullptr;
    };
    /// By connection: the call that launched, its node, and of a collective the flush of HCCL.
    using Launches = std::unordered_map<std::uint64_t, Launch>;
    /// Host facts of a collective.
    struct CollectiveCall {
        std::uint32_t thread;
        std::uint64_t time;
        std::uint64_t group;  ///< Hash of the group's name.
    };
    struct Task {
        RuntimeTask type;
        std::size_t stream;  ///< Number as files show it.
        std::uint32_t id;
        std::uint32_t thread;
        std::uint64_t time;
    };

    static Launches launchesOf(const UnitRecord& record);
    void addCalls(const UnitRecord& record, Launches& launches);
    void addLaunched(const UnitRecord& record, Launches& launches);
    void addCall(const ApiSlice& call, std::string_view item);
    void addTask(const Task& task);
    void addKernel(const DeviceWork& work, const ApiSlice& node);
    void addTensors(const KernelSpec& kernel, std::uint64_t name, const ApiSlice& node, std::uint64_t time);
    void addCollective(const PlayedCollective& collective, const DeviceWork& work, const Launch& launch);
    void addCollectiveTask(const PlayedCollective& collective, const PlaneTask& task, bool isNotify,
                           const CollectiveCall& call);
    void addMark(const UnitRecord& record, std::uint32_t index);
    std::uint32_t threadOf(const ApiSlice& call) const;

    const Run& m_run;
    const RankTracks& m_tracks;
    const RankIdentity& m_identity;
    const RawClocks m_clocks;
    RawTexts m_texts;
    struct LastTask {
        std::uint32_t id = 0;
        std::uint16_t batch = 0;
    };
    std::map<std::size_t, LastTask> m_last;  // by stream
    std::filesystem::path m_folder;
    OutputTarget& m_target;
    struct File {
        RawSlices slices;
        std::string bytes;
    };
    File m_calls, m_tasks, m_nodes, m_tensors, m_contexts, m_collectives, m_parts;
};

}  // namespace altiscope::generate
