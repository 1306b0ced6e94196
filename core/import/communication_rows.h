#pragma once

#include "core/import/group_directory.h"
#include "core/import/json_leaves.h"
#include "core/store/row_builder.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace altiscope::reader {

/// Turns the objects of communication files into rows. One worker's. Source: formats/communication-json.md sections 2 and 3.
class CommunicationRows {
public:
    CommunicationRows(RowTablesBuilder& builder, const GroupDirectory& groups);
    ~CommunicationRows();
    CommunicationRows(const CommunicationRows&) = delete;
    CommunicationRows& operator=(const CommunicationRows&) = delete;

    /// What a call has met, by counts of cells.
    struct Problems {
        std::uint64_t badNumbers = 0;  ///< Numbers that are none, or beyond what can be kept; left empty.
        bool isBroken = false;         ///< The object is no JSON as expected; the rows of it that came before stay.
    };
    /// Rows of an operator: collective, bandwidth, packet. Totals of several operators give none.
    /// @param text  Of the object, in a buffer with SIMDJSON_PADDING further bytes.
    Problems addOperator(const JsonLeaf& leaf, std::string_view text);
    /// A row of `link`.
    Problems addLink(const JsonLeaf& leaf, std::string_view text);

    /// Hands the rows over, in the order of the calls.
    std::vector<RowTablesBuilder::Packed> take();

private:
    struct Parser;
    RowBatch m_collectives, m_bandwidths, m_packets, m_links;
    const GroupDirectory& m_groups;
    std::unique_ptr<Parser> m_parser;
};

}  // namespace altiscope::reader
