#pragma once

#include "core/import/raw/raw_import.h"
#include "core/import/raw/raw_torch_tree.h"
#include "core/import/raw_records/raw_torch.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope::reader {

/// Puts what FRAMEWORK says into the store.
class RawTorchImport {
public:
    /// @param hostProcess  Of the run; 0: no PROF folder says it.
    RawTorchImport(RawTorch torch, const SourceFile& file, ImportContext& import, std::int64_t hostProcess);

    /// Operators, the queue, stacks of Python, its collections of garbage, and flows between them; fills `operator`,
    /// `memory_sample` and `allocation`. On all workers, and on any thread: needs nothing of the PROF folders.
    void add();
    /// The operators ProfilerStep#N as steps, with their time on the host.
    std::vector<Step> steps() const;
    /// Flows from operators to the kernels that they led to. After add(); the last use of what the files said, whose
    /// memory is given back.
    void connect(std::vector<RawLaunchEnd> ends);
    std::size_t operators() const { return m_operators; }
    std::uint64_t rows() const { return m_rows; }

private:
    RawTorch m_torch;
    const SourceFile& m_file;
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
void addRawSampleRows(const RawTorch& torch, RowTablesBuilder& rows, const CancelToken& cancel);
/// Fills `allocation`.
void addRawAllocationRows(const RawTorch& torch, const RawTorchTree& tree, const RawQueuePartners& partners,
                          RowTablesBuilder& rows, const CancelToken& cancel);

}  // namespace altiscope::reader
