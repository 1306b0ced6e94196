#pragma once

#include "core/import/contracts/group_directory.h"
#include "core/import/json/json_leaves.h"
#include "core/store/rows/row_builder.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// Whose communication a file holds.
enum class CommunicationOf : std::uint8_t {
    Rank,
    /// All ranks of a cluster. Rows have further columns then, see clusterRankColumn.
    Cluster,
};

/// The rank of a row from a cluster's file; for links the source as the file counts ranks.
constexpr std::size_t clusterRankColumn(RowKind kind) { return rowColumns(kind).size(); }
/// The rank set of a link from a cluster's file, see ClusterKeys.
inline constexpr std::size_t kClusterSetColumn = clusterRankColumn(RowKind::Link) + 1;

/// Turns the objects of communication files into rows. One worker's. Source: core/import/communication/FORMAT.md
/// sections 2-4.
class CommunicationRows {
public:
    CommunicationRows(RowTablesBuilder& builder, const GroupDirectory& groups, CommunicationOf of);
    /// A batch with the further columns that rows of a cluster have.
    static RowBatch batchOf(RowTablesBuilder& builder, RowKind kind, CommunicationOf of);
    ~CommunicationRows();
    CommunicationRows(const CommunicationRows&) = delete;
    CommunicationRows& operator=(const CommunicationRows&) = delete;

    /// Problems that a call has met, by counts of cells.
    struct Problems {
        std::uint64_t badNumbers = 0;  ///< Numbers that are none, or beyond what can be kept; left empty.
        std::uint64_t repeated = 0;    ///< Keys that an object has twice; one of the values is read.
        std::uint64_t nested = 0;      ///< Objects where no known writer puts any; not read.
        std::uint64_t unknown = 0;     ///< Values under keys that no known writer uses; not read.
        std::string unknownKey{};      ///< The first one.
        bool isBroken = false;         ///< The object is no JSON as expected; the rows of it that came before stay.
        bool isNowhere = false;  ///< The keys above an object of a cluster's file name no rank; there is no row of it.
        bool hasOddKey =
            false;  ///< A key above is neither a step nor a kind nor a set of ranks, so that one is unknown.
    };
    /// Rows of an operator: collective, bandwidth, packet. Totals of several operators give none.
    /// @param text  Of the object, in a buffer with SIMDJSON_PADDING further bytes.
    Problems addOperator(const JsonLeaf& leaf, std::string_view text);
    /// A row of `link`; for a cluster's file with the ranks as the file counts them.
    /// @param clusterSet  For a cluster's file: index of its rank set in ClusterKeys.
    Problems addLink(const JsonLeaf& leaf, std::string_view text, std::uint32_t clusterSet);

    /// Hands the rows over, in the order of the calls.
    std::vector<RowTablesBuilder::Packed> take();

private:
    struct Parser;
    RowBatch m_collectives, m_bandwidths, m_packets, m_links;
    const GroupDirectory& m_groups;
    const CommunicationOf m_of;
    std::unique_ptr<Parser> m_parser;
};

}  // namespace altiscope::reader
