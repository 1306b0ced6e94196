#pragma once

#include "core/generate/raw/raw_clocks.h"
#include "core/generate/records/rank_tracks.h"
#include "core/generate/records/unit_record.h"
#include "core/generate/support/output_target.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace altiscope::generate {

/// What torch_npu says, in the files of FRAMEWORK: operators, task queue, Python, memory, garbage collection.
/// Source: core/import/raw_records/FORMAT.md.
class RawFrameworkRecords {
public:
    RawFrameworkRecords(const Run& run, const RankTracks& tracks, std::uint32_t rank, OutputTarget& target,
                        std::filesystem::path folder);

    /// Units in their order.
    Result<Done> unit(const UnitRecord& record);
    Result<Done> close();

private:
    struct File {
        const char* name;
        std::unique_ptr<OutputStream> stream{};
        std::string bytes{};
    };

    void addOperators(const UnitRecord& record);
    void addQueue(const UnitRecord& record);
    void addPython(const UnitRecord& record);
    void addMemory(const UnitRecord& record);
    void addBaseFrames(bool isEnd);
    void addCall(TimeNs time, std::uint64_t key, bool isReturn);
    /// Key of a name, which is written when it is met first.
    std::uint64_t keyOf(std::string_view name);
    Result<Done> write(File& file);

    const Run& m_run;
    const RankTracks& m_tracks;
    const std::uint32_t m_rank;
    const RankIdentity& m_identity;
    const RawClocks m_clocks;
    OutputTarget& m_target;
    std::filesystem::path m_folder;
    std::unordered_set<std::uint64_t> m_keys;
    std::unordered_map<std::uint32_t, std::int64_t> m_blocks;  // address by tensor
    std::int64_t m_nextBlock = 0x12c0'0000'0000;
    File m_operators{"torch.op_range"}, m_marks{"torch.op_mark"}, m_memory{"torch.memory_usage"},
        m_names{"torch.python_tracer_hash"}, m_calls{"torch.python_tracer_func"}, m_garbage{"torch.gc_record"};
};

}  // namespace altiscope::generate
