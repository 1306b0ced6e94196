#include "core/query/tables/summary_table.h"

#include "core/analysis/support/summary_rowid.h"
#include "core/query/functions/sqlite_values.h"
#include "core/query/tables/row_arguments.h"
#include "core/store/rows/row_traits.h"

#include <algorithm>

namespace altiscope {

namespace {

// Findings lead to rows by these.
static_assert(firstSummaryRowid({3}) == summaryRowid({3}, 0));

constexpr int kNoColumn = -2;

/// Columns that joins lead by, the most telling first.
constexpr std::string_view kKeyColumns[] = {"slice_id", "operator_slice_id", "instance", "step"};

int numberOf(const TableInfo& info, std::string_view column) {
    const int number = columnNumber(info, column);
    return number < 0 ? kNoColumn : number;
}

bool isIn(const IntegerSet& set, const RowBlock& block) { return block.max >= set.low() && block.min <= set.high(); }

}  // namespace

std::optional<RowKind> summaryKind(std::string_view table) {
    for (std::size_t k = 0; k < kRowKinds; ++k) {
        if (rowKindName(static_cast<RowKind>(k)) == table) return static_cast<RowKind>(k);
    }
    return std::nullopt;
}

std::vector<SummaryPart> summaryParts(const CaptureStore& capture, RowKind kind) {
    std::vector<SummaryPart> parts;
    const auto add = [&](RankIndex rank, const RowTables* tables) {
        const RowTable* table = tables == nullptr ? nullptr : tables->find(kind);
        if (table != nullptr && table->size() > 0) parts.push_back({rank, tables, table});
    };
    if (kind == RowKind::CommGroup) {
        add({}, capture.rows.get());
        return parts;
    }
    for (RankIndex r; r.value < capture.ranks.size(); ++r.value) add(r, capture.ranks[r.value].rows.get());
    return parts;
}

SummaryTable::SummaryTable(const TableInfo& info, const QueryContext& context)
    : m_context(context), m_columns(info.columns), m_lookups(info.columns.size(), Lookup::None),
      m_parts(summaryParts(context.index.capture(), *summaryKind(info.name))), m_kind(*summaryKind(info.name)),
      m_rankColumn(numberOf(info, "rank_id")), m_timeColumn(numberOf(info, "ts")), m_textColumn(numberOf(info, "name")),
      m_originColumn(numberOf(info, "origin")), m_instanceColumn(numberOf(info, "instance")),
      m_omissionColumn(numberOf(info, "left_out")) {
    const auto lookUp = [this](int column, Lookup lookup) {
        if (column >= 0) m_lookups[static_cast<std::size_t>(column)] = lookup;
    };
    lookUp(m_rankColumn, Lookup::Id);
    lookUp(m_timeColumn, Lookup::Time);
    lookUp(m_textColumn, Lookup::Text);
    lookUp(m_originColumn, Lookup::Text);
    for (const std::string_view name : kKeyColumns) {
        const int column = numberOf(info, name);
        lookUp(column, Lookup::Id);
        if (column >= 0) m_keyColumns.push_back(column);
    }
    for (const SummaryPart& part : m_parts) m_rows += static_cast<double>(part.table->size());
    // How many are computed is not known before; about as many as are recorded where both exist.
    constexpr double kComputedRows = 50;
    if (hasComputedRows(m_kind)) m_rows += kComputedRows * static_cast<double>(context.index.rankCount());
}

bool SummaryTable::holdsSlices(int column) const {
    const int cell = column - offset();
    const auto columns = rowColumns(m_kind);
    return cell >= 0 && column != m_instanceColumn && static_cast<std::size_t>(cell) < columns.size() &&
           columns[static_cast<std::size_t>(cell)].cell == RowCell::Slice;
}

void SummaryTable::plan(IndexRequest& request) const {
    const auto& accepted = request.accepted();
    const bool isRecordedAlone =
        std::any_of(accepted.begin(), accepted.end(), [this](const AcceptedCondition& condition) {
            return condition.column == m_originColumn && condition.constant &&
                   !condition.text.matches(originName(Origin::Computed));
        });
    if (hasComputedRows(m_kind) && !isRecordedAlone) m_context.sources.addComputedRows();
    double rows = m_rows, cost = m_rows + 1;
    for (const AcceptedCondition& condition : request.accepted()) {
        double share = 0.3;
        if (condition.column == m_rankColumn) {
            share = 1 / std::max(1.0, static_cast<double>(m_context.index.rankCount()));
            cost *= share;
        } else if (condition.column == -1) {
            share = 1 / std::max(1.0, m_rows);
            cost = std::min(cost, 10.0);
        } else if (std::find(m_keyColumns.begin(), m_keyColumns.end(), condition.column) != m_keyColumns.end()) {
            // A slice has one row or a few, an instance one of each rank, a step some share of all.
            static constexpr double kListLength = 25, kStep = 0.05;
            const double ranks = std::max(1.0, static_cast<double>(m_context.index.rankCount()));
            const double few = holdsSlices(condition.column)          ? 2
                               : condition.column == m_instanceColumn ? ranks
                                                                      : std::max(1.0, m_rows * kStep);
            const double found = few * (condition.op == ConditionOp::Equal ? 1 : kListLength);
            share = std::min(1.0, found / std::max(1.0, m_rows));
            cost = std::min(cost, 10 + found);
        } else if (condition.op == ConditionOp::Equal) {
            share = 0.01;
        }
        rows *= share;
    }
    request.promise(0, rows, cost);
    const auto& order = request.order();
    if (order.size() == 1 && order[0].column == m_rankColumn && !order[0].descending) request.promiseOrder();
}

int SummaryTable::Cursor::filter(int, const Conditions& conditions) {
    m_parts.clear();
    m_keys.clear();
    m_slices.clear();
    m_part = 0;
    m_row = 0;
    if (conditions.impossible()) return SQLITE_OK;
    takeKeys(conditions);
    const CaptureIndex& index = m_table.context().index;
    const IntegerSet ranks = conditions.integers(m_table.rankColumn());
    m_times = conditions.integers(m_table.timeColumn());
    m_rowids = conditions.integers(-1);
    m_texts = conditions.text(m_table.textColumn());
    const TextFilter& origins = conditions.text(m_table.originColumn());
    for (const SummaryPart& part : m_table.parts()) {
        const auto id = index.rankId(part.rank);
        if (!ranks.all() && (!id || !ranks.contains(*id))) continue;
        if (isRankWithout(part.rank)) continue;
        if (hasRowids(part) && origins.matches(originName(Origin::Recorded))) m_parts.push_back(part);
    }
    const bool computed = hasComputedRows(m_table.kind()) && origins.matches(originName(Origin::Computed));
    if (computed && !addComputed(ranks)) return SQLITE_INTERRUPT;
    if (!enterPart()) return SQLITE_INTERRUPT;
    return settle();
}

/// What filter() does for this condition alone: a join asks it for each row of the outer table.
int SummaryTable::Cursor::lookUp(int column, std::optional<std::int64_t> slice) {
    m_parts.clear();
    m_keys.clear();
    m_slices.clear();
    m_part = 0;
    m_row = 0;
    const auto place = slice ? m_table.context().index.findSlice(*slice) : std::nullopt;
    if (!place) return SQLITE_OK;
    m_times = m_rowids = {};
    m_texts = {};
    Key& key = m_keys.emplace_back();
    key.column = column;
    key.values.keepRange(*slice, *slice);
    m_slices.push_back(*place);
    const auto& parts = m_table.parts();
    const auto part = std::partition_point(parts.begin(), parts.end(),
                                           [&](const SummaryPart& one) { return one.rank < place->rank; });
    if (part != parts.end() && part->rank == place->rank) m_parts.push_back(*part);
    if (!enterPart()) return SQLITE_INTERRUPT;
    return settle();
}

void SummaryTable::Cursor::takeKeys(const Conditions& conditions) {
    for (const int column : m_table.keyColumns()) {
        IntegerSet values = conditions.integers(column);
        // Only equality and lists are looked up, so that there are values.
        if (!values.all() && values.values() != nullptr) m_keys.push_back({column, std::move(values)});
    }
    if (m_keys.empty() || !m_table.holdsSlices(m_keys.front().column)) return;
    for (const std::int64_t id : *m_keys.front().values.values())
        if (const auto place = m_table.context().index.findSlice(id)) m_slices.push_back(*place);
}

bool SummaryTable::Cursor::isRankWithout(RankIndex rank) const {
    return !m_keys.empty() && m_table.holdsSlices(m_keys.front().column) &&
           std::none_of(m_slices.begin(), m_slices.end(), [rank](const IndexedSlice& one) { return one.rank == rank; });
}

std::optional<std::int64_t> SummaryTable::Cursor::keyOf(const SummaryPart& part, int column, std::size_t row) const {
    if (column == m_table.instanceColumn()) return instanceOf(part, row);
    const auto value = part.table->integer(static_cast<std::size_t>(column - m_table.offset()), row);
    if (!value || !m_table.holdsSlices(column)) return value;
    const TraceStore* trace = m_table.context().index.trace(part.rank);
    if (trace == nullptr) return std::nullopt;
    return trace->id({static_cast<std::uint32_t>(*value)}).value;
}

bool SummaryTable::Cursor::listCandidates() {
    m_candidates.clear();
    m_candidate = 0;
    const SummaryPart& part = m_parts[m_part];
    Key& key = m_keys.front();
    const CancelToken& cancel = m_table.context().cancel;
    const bool isOnSlices = m_table.holdsSlices(key.column);
    const auto cell = static_cast<std::size_t>(key.column - m_table.offset());
    // Slices by their number in the rank's trace, which is at hand.
    const auto make = [&] {
        return KeyedRows::build(
            part.table->size(),
            [&](std::size_t row) { return isOnSlices ? part.table->integer(cell, row) : keyOf(part, key.column, row); },
            cancel);
    };
    const auto keyed = m_table.context().index.keyedRows(part.table, key.column, make, cancel);
    if (keyed == nullptr) return false;
    const auto add = [&](std::int64_t value) {
        for (const KeyedNumber& one : keyed->of(value)) m_candidates.push_back(one.number);
    };
    for (const IndexedSlice& slice : m_slices)
        if (slice.rank == part.rank) add(slice.slice);
    if (!isOnSlices) {
        for (const std::int64_t value : *key.values.values()) add(value);
    }
    if (!std::is_sorted(m_candidates.begin(), m_candidates.end())) std::sort(m_candidates.begin(), m_candidates.end());
    return true;
}

bool SummaryTable::Cursor::hasRowids(const SummaryPart& part) const {
    return m_rowids.low() <= rowidOf(part, part.table->size() - 1) && m_rowids.high() >= rowidOf(part, 0);
}

bool SummaryTable::Cursor::addComputed(const IntegerSet& ranks) {
    const CaptureIndex& index = m_table.context().index;
    bool any = false;
    for (RankIndex r; r.value < index.rankCount(); ++r.value) {
        const auto id = index.rankId(r);
        if (!hasComputation(index.rank(r)) || (!ranks.all() && (!id || !ranks.contains(*id)))) continue;
        const auto recorded = std::find_if(m_table.parts().begin(), m_table.parts().end(),
                                           [r](const SummaryPart& p) { return p.rank == r; });
        const std::size_t first = recorded == m_table.parts().end() ? 0 : recorded->table->size();
        if (m_rowids.high() < summaryRowid(r, first) || m_rowids.low() >= summaryRowid({r.value + 1}, 0)) continue;
        const auto computation = index.analysis().rank(r, m_table.context().cancel);
        if (!computation) return false;
        const RowTable* table = computation->rows == nullptr ? nullptr : computation->rows->find(m_table.kind());
        // The analysis keeps the rows as long as the connection lives.
        const SummaryPart part{r, computation->rows.get(), table, true, first};
        if (table == nullptr || table->size() == 0 || !hasRowids(part)) continue;
        m_parts.push_back(part);
        any = true;
    }
    if (any)
        std::stable_sort(m_parts.begin(), m_parts.end(),
                         [](const SummaryPart& a, const SummaryPart& b) { return a.rank < b.rank; });
    return true;
}

bool SummaryTable::Cursor::enterPart() {
    m_row = 0;
    if (m_part == m_parts.size()) return true;
    const SummaryPart& part = m_parts[m_part];
    const std::int64_t first = rowidOf(part, 0);
    if (m_rowids.low() > first) m_row = static_cast<std::size_t>(m_rowids.low() - first);
    m_textIds = m_texts.all() ? std::vector<StringId>() : m_texts.matchingIds(part.tables->texts());
    return m_keys.empty() || listCandidates();
}

bool SummaryTable::Cursor::fits(const RowTable& table, std::size_t& next) const {
    const auto column = [this](int number) { return static_cast<std::size_t>(number - m_table.offset()); };
    const std::size_t afterBlock = (m_row / RowBlock::kBlock + 1) * RowBlock::kBlock;
    next = m_row + 1;
    if (!m_rowids.all() && !m_rowids.contains(rowid())) return false;
    for (std::size_t i = 1; i < m_keys.size(); ++i) {
        const auto value = keyOf(m_parts[m_part], m_keys[i].column, m_row);
        if (!value || !m_keys[i].values.contains(*value)) return false;
    }
    if (!m_times.all()) {
        const std::size_t times = column(m_table.timeColumn());
        const RowBlock& block = table.block(times, m_row);
        if (block.nulls == RowBlock::Nulls::All || !isIn(m_times, block)) {
            next = afterBlock;
            return false;
        }
        const auto ts = table.integer(times, m_row);
        if (!ts || !m_times.contains(*ts)) return false;
    }
    if (m_texts.all()) return true;
    const std::size_t texts = column(m_table.textColumn());
    const RowBlock& block = table.block(texts, m_row);
    const auto min =
        std::lower_bound(m_textIds.begin(), m_textIds.end(), StringId{static_cast<std::uint32_t>(block.min)});
    if (block.nulls == RowBlock::Nulls::All || min == m_textIds.end() || min->value > block.max) {
        next = afterBlock;
        return false;
    }
    const auto text = table.text(texts, m_row);
    return text && std::binary_search(m_textIds.begin(), m_textIds.end(), *text);
}

int SummaryTable::Cursor::settle() {
    while (!atEnd()) {
        const int rc = m_keys.empty() ? settleAmongRows() : settleAmongCandidates();
        if (rc != SQLITE_DONE) return rc;
        ++m_part;
        if (!enterPart()) return SQLITE_INTERRUPT;
    }
    return SQLITE_OK;
}

int SummaryTable::Cursor::settleAmongCandidates() {
    std::size_t next = 0;
    for (; m_candidate < m_candidates.size(); ++m_candidate) {
        m_row = m_candidates[m_candidate];
        if (fits(*m_parts[m_part].table, next)) return SQLITE_OK;
        if (m_poll.stop()) return SQLITE_INTERRUPT;
    }
    return SQLITE_DONE;
}

int SummaryTable::Cursor::settleAmongRows() {
    const RowTable& table = *m_parts[m_part].table;
    const std::size_t last = m_rowids.high() >= rowidOf(m_parts[m_part], table.size() - 1)
                                 ? table.size()
                                 : static_cast<std::size_t>(m_rowids.high() - rowidOf(m_parts[m_part], 0)) + 1;
    while (m_row < last) {
        std::size_t next = 0;
        if (fits(table, next)) return SQLITE_OK;
        if (m_poll.stop()) return SQLITE_INTERRUPT;
        m_row = next;
    }
    return SQLITE_DONE;
}

int SummaryTable::Cursor::next() {
    ++(m_keys.empty() ? m_row : m_candidate);
    return settle();
}

std::optional<std::int64_t> SummaryTable::Cursor::instanceOf(const SummaryPart& part, std::size_t row) const {
    const CaptureAnalysis& analysis = m_table.context().index.analysis();
    const CancelToken& cancel = m_table.context().cancel;
    const auto instances = part.isComputed ? analysis.allCollectives(cancel) : analysis.recordedCollectives(cancel);
    return instances == nullptr ? std::nullopt : instances->find(part.rank, part.isComputed, row);
}

void SummaryTable::Cursor::instance(sqlite3_context* context) const {
    const auto number = instanceOf(m_parts[m_part], m_row);
    if (m_table.context().cancel.cancelled()) return sqlite3_result_error_code(context, SQLITE_INTERRUPT);
    resultInteger(context, number);
}

void SummaryTable::Cursor::whyOmitted(sqlite3_context* context) const {
    const SummaryPart& part = m_parts[m_part];
    const auto computation = m_table.context().index.analysis().rank(part.rank, m_table.context().cancel);
    if (computation == nullptr) return sqlite3_result_error_code(context, SQLITE_INTERRUPT);
    const auto& uses = part.isComputed ? computation->stepUses.computed : computation->stepUses.recorded;
    if (m_row < uses.size()) resultTextOrNull(context, stepUseName(uses[m_row]));
}

/// A column that only some files fill, whole numbers all.
void SummaryTable::Cursor::further(sqlite3_context* context, int number) const {
    const RowTable& table = *m_parts[m_part].table;
    const auto& extras = table.extras();
    const auto found = std::find(extras.begin(), extras.end(), m_table.columnName(number));
    if (found == extras.end()) return;
    const std::size_t column = rowColumns(table.kind()).size() + static_cast<std::size_t>(found - extras.begin());
    const auto value = table.real(column, m_row);
    // Beyond 2^53 a real is no whole number any more.
    constexpr double kMaxWhole = 9007199254740992.0;
    if (value && *value >= -kMaxWhole && *value <= kMaxWhole) resultInteger(context, static_cast<std::int64_t>(*value));
}

/// No text export has a table with them; its timeline has.
void SummaryTable::Cursor::typesOfSlice(sqlite3_context* context, const SummaryPart& part) const {
    const TraceStore* trace = m_table.context().index.trace(part.rank);
    const auto slice = part.table->integer(fixedColumn(RowKind::Operator, "slice_id"), m_row);
    if (trace == nullptr || !slice) return;
    resultArgument(context, m_table.context(), part.rank, trace->pos({static_cast<std::uint32_t>(*slice)}),
                   "Input type");
}

void SummaryTable::Cursor::column(sqlite3_context* context, int number) const {
    const SummaryPart& part = m_parts[m_part];
    const CaptureIndex& index = m_table.context().index;
    if (number == m_table.rankColumn()) return resultInteger(context, index.rankId(part.rank));
    if (number == m_table.instanceColumn()) return instance(context);
    if (number == m_table.omissionColumn()) return whyOmitted(context);
    const auto column = static_cast<std::size_t>(number - m_table.offset());
    if (column >= rowColumns(part.table->kind()).size()) return further(context, number);
    switch (rowColumns(part.table->kind())[column].cell) {
    case RowCell::Integer: return resultInteger(context, part.table->integer(column, m_row));
    case RowCell::Real:
        if (const auto value = part.table->real(column, m_row)) sqlite3_result_double(context, *value);
        return;
    case RowCell::Text:
        if (const auto text = part.table->text(column, m_row)) resultText(context, part.tables->text(*text));
        else if (m_table.kind() == RowKind::Operator && column == fixedColumn(RowKind::Operator, "input_types"))
            typesOfSlice(context, part);
        return;
    case RowCell::Slice:
        const TraceStore* trace = index.trace(part.rank);
        const auto slice = part.table->integer(column, m_row);
        if (trace != nullptr && slice) resultInteger(context, trace->id({static_cast<std::uint32_t>(*slice)}).value);
        return;
    }
}

}  // namespace altiscope
