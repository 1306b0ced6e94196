#pragma once

#include "core/query/tables/virtual_table.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace altiscope {

// Rows of the small tables, for ListTable.

inline constexpr int kNoRankColumn = -2;

/// The table `rank`.
class RankRows {
public:
    static constexpr int kRankColumn = 0;
    explicit RankRows(const QueryContext& context) : m_context(context), m_index(context.index) {}
    std::size_t size() const { return m_index.rankCount(); }
    std::size_t firstOf(RankIndex rank) const { return rank.value; }
    RankIndex rankOf(std::size_t row) const { return rankIndex(row); }
    void column(sqlite3_context* result, std::size_t row, int column) const;

private:
    const QueryContext& m_context;
    const CaptureIndex& m_index;
};

/// Rows that each belong to a rank and stand in a list of it.
template <class Item>
class ItemRows {
public:
    std::size_t size() const { return m_items.size(); }
    std::size_t firstOf(RankIndex rank) const { return m_first[rank.value]; }
    RankIndex rankOf(std::size_t row) const { return m_items[row].rank; }

protected:
    struct Row {
        RankIndex rank{};
        const Item* item;
    };
    template <class ItemsOf>
    ItemRows(const CaptureIndex& index, ItemsOf itemsOf) {
        for (RankIndex r; r.value < index.rankCount(); ++r.value) {
            m_first.push_back(m_items.size());
            for (const Item& item : itemsOf(index.rank(r))) m_items.push_back({r, &item});
        }
        m_first.push_back(m_items.size());
    }
    const Row& row(std::size_t number) const { return m_items[number]; }

private:
    std::vector<Row> m_items;
    std::vector<std::size_t> m_first;  // by rank; one more at the end
};

/// The table `step`.
class StepRows : public ItemRows<Step> {
public:
    static constexpr int kRankColumn = 0;
    explicit StepRows(const QueryContext& context);
    void column(sqlite3_context* result, std::size_t row, int column) const;

private:
    const CaptureIndex& m_index;
};

/// The table `metadata`.
class MetadataRows : public ItemRows<std::pair<std::string, std::string>> {
public:
    static constexpr int kRankColumn = 0;
    explicit MetadataRows(const QueryContext& context);
    void column(sqlite3_context* result, std::size_t row, int column) const;

private:
    const CaptureIndex& m_index;
};

/// The table `diagnostic`. Messages are English: results do not depend on a language.
class DiagnosticRows {
public:
    static constexpr int kRankColumn = kNoRankColumn;
    explicit DiagnosticRows(const QueryContext& context) : m_entries(context.index.capture().diagnostics.entries()) {}
    std::size_t size() const { return m_entries.size(); }
    std::size_t firstOf(RankIndex) const { return 0; }
    void column(sqlite3_context* result, std::size_t row, int column) const;

private:
    std::vector<Diagnostic> m_entries;
};

/// The table `finding`, the worst first. Texts are English: results do not depend on a language. Rules run when rows
/// are first read.
class FindingRows {
public:
    static constexpr int kRankColumn = kNoRankColumn;
    explicit FindingRows(const QueryContext& context) : m_context(context) {}
    bool prepare() const;
    /// Before prepare() a guess.
    std::size_t size() const { return m_findings ? m_findings->size() : 20; }
    std::size_t firstOf(RankIndex) const { return 0; }
    /// Its rank; of a finding about several one of them, if all are of one recording.
    RankIndex rankOf(std::size_t row) const;
    void column(sqlite3_context* result, std::size_t row, int column) const;

private:
    const QueryContext& m_context;
    mutable std::shared_ptr<const std::vector<Finding>> m_findings;
};

}  // namespace altiscope
