#pragma once

#include "core/import/database_lookup/db_id_index.h"
#include "core/import/database_lookup/db_texts.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace altiscope::reader {

/// A row of PYTORCH_CALLCHAINS without its chain.
struct DbFrame {
    std::int64_t depth = 0, text = 0;  ///< 0 is the innermost; text of STRING_IDS.
    bool operator==(const DbFrame&) const = default;
};

/// Call chains from one part of PYTORCH_CALLCHAINS. Rows of a chain follow each other, and operators are called from
/// few places: a chain costs some bytes, and each different run of frames its length once.
class DbChainPart {
public:
    void add(std::int64_t chain, DbFrame frame, std::int64_t row) {
        if (chain != m_chain || m_frames.empty()) end();
        m_chain = chain;
        m_row = row;
        m_frames.push_back(frame);
    }
    /// After the last row.
    void end();

private:
    friend class DbCallChains;
    struct Hash {
        std::size_t operator()(const std::vector<DbFrame>& frames) const;
    };
    struct Row {
        std::int64_t chain, row;
    };
    std::int64_t m_chain = 0, m_row = 0;
    std::vector<DbFrame> m_frames;  // of the chain at hand
    std::vector<Row> m_odd;         // chains whose depths are not 0, 1, 2, ... here, and a row of each
    std::unordered_map<std::vector<DbFrame>, std::uint32_t, Hash> m_numbers;
    std::vector<IdGroups<std::uint32_t>::Row> m_chains;
};

/// All call chains of a database. Constant.
class DbCallChains {
public:
    DbCallChains() = default;
    /// @param parts  In the order of the table.
    explicit DbCallChains(std::vector<DbChainPart> parts);

    bool empty() const { return m_chains.empty(); }
    /// A row of each chain of which frames are not there: depths count from 0.
    const std::vector<std::int64_t>& brokenRows() const { return m_brokenRows; }
    /// Numbers of the runs of frames that make up a chain: nearly always one.
    std::span<const std::uint32_t> runs(std::int64_t chain) const { return m_chains.of(chain); }
    /// The frames of a call stack, innermost first.
    std::vector<std::string_view> frames(std::span<const std::uint32_t> runs, const DbTexts& texts) const;
    /// The lines of a call stack, innermost first, as the summary of the text export has them: "FILE(LINE):
    /// NAME;\n...".
    std::string text(std::span<const std::uint32_t> runs, const DbTexts& texts) const;

private:
    std::vector<std::vector<DbFrame>> m_runs;
    IdGroups<std::uint32_t> m_chains;
    std::vector<std::int64_t> m_brokenRows;
};

}  // namespace altiscope::reader
