#pragma once

#include "core/import/raw/raw_import.h"
#include "core/import/raw/raw_torch_tree.h"
#include "core/import/raw_records/raw_torch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

inline constexpr std::string_view kRawOperatorFile = "torch.op_range", kRawQueueFile = "torch.op_mark",
                                  kRawMemoryFile = "torch.memory_usage";

/// Reports problems of the files of FRAMEWORK taken together into the diagnostics of one worker.
struct RawTorchProblems {
    const std::string& folder;
    Diagnostics& diagnostics;

    void report(std::string_view code, Severity severity, std::string_view file, std::uint64_t count) const {
        if (count > 0) diagnostics.add(code, severity, folder + '/' + std::string(file), {}, {}, count);
    }
};

/// Puts what FRAMEWORK says into the store. Reports what has no counterpart, so that an arrow or a row is missing:
/// "raw.lone_queue", "raw.lone_backward", "raw.lone_release", "raw.lone_launch" (info), and "raw.memory_jump"
/// (repaired) where totals of memory do not follow from records.
class RawTorchImport {
public:
    /// @param folder       Name of FRAMEWORK, relative to the capture.
    /// @param hostProcess  Of the run; 0: no PROF folder says it.
    RawTorchImport(RawTorch torch, const SourceFile& file, std::string folder, ImportContext& import,
                   std::int64_t hostProcess);

    /// Operators, the queue, stacks of Python, its collections of garbage, and flows between them; fills `operator`,
    /// `memory_sample` and `allocation`. On all workers, and on any thread: needs nothing of the PROF folders.
    void add(Diagnostics& diagnostics);
    /// The operators ProfilerStep#N as steps, with their time on the host.
    std::vector<Step> steps() const;
    /// Flows from operators to the kernels that they led to. After add(); the last use of what the files said, whose
    /// memory is given back.
    void connect(std::vector<RawLaunchEnd> ends, Diagnostics& diagnostics);
    std::size_t operators() const { return m_operators; }
    std::uint64_t rows() const { return m_rows; }

private:
    RawTorch m_torch;
    const SourceFile& m_file;
    const std::string m_folder;
    ImportContext& m_import;
    DbNaming m_naming;
    std::optional<RawTorchTree> m_tree;
    std::optional<RawQueuePartners> m_partners;
    std::size_t m_operators = 0;
    std::uint64_t m_rows = 0;
};

/// Fills `operator`.
void addRawOperatorRows(const RawTorch& torch, const RawTorchTree& tree, RowTablesBuilder& rows,
                        const CancelToken& cancel);
/// Fills `memory_sample`.
void addRawSampleRows(const RawTorch& torch, RowTablesBuilder& rows, const RawTorchProblems& problems,
                      const CancelToken& cancel);
/// Fills `allocation`.
void addRawAllocationRows(const RawTorch& torch, const RawTorchTree& tree, const RawQueuePartners& partners,
                          RowTablesBuilder& rows, const RawTorchProblems& problems, const CancelToken& cancel);

}  // namespace altiscope::reader
