#include "core/report/deliverables/deliverable_input.h"

#include "core/base/threads/parallel_sort.h"
#include "core/base/values/parse.h"
#include "core/report/deliverables/number_text.h"

#include <algorithm>
#include <utility>

namespace altiscope {

std::int64_t printedTime(std::int64_t time, const TaskRecords::Collection& collection) {
    return time - (collection.wall - collection.monotonic) + printedOffset(collection.wall, collection.monotonic);
}

std::int64_t printedTime(std::int64_t time, const TaskRecords& records, std::int64_t device) {
    const auto found = std::find_if(records.collections.begin(), records.collections.end(),
                                    [device](const auto& one) { return one.device == device; });
    return found == records.collections.end() ? time : printedTime(time, *found);
}

DeliverableResult endDeliverable(DeliverableFile& file, const CancelToken& cancel) {
    if (cancel.cancelled()) return {DeliverableResult::State::Cancelled};
    if (file.keep()) return {};
    if (cancel.cancelled()) return {DeliverableResult::State::Cancelled};
    return {DeliverableResult::State::Failed, file.problem()};
}

DeliverableTable::DeliverableTable(const DeliverableInput& input, std::string_view stem,
                                   std::vector<std::string> header, std::size_t rows)
    : m_input(input), m_stem(stem), m_header(std::move(header)),
      m_isCut(input.dialect == Dialect::Cann && rows > input.rowsOfTable) {
    open();
}

void DeliverableTable::open() {
    const std::string slice = m_isCut ? "_slice_" + std::to_string(m_result.files.size()) : std::string();
    const std::filesystem::path path = m_input.file(m_stem + slice, ".csv");
    if (m_isCut) m_result.files.push_back(path.filename().string());
    m_rows = 0;
    m_file.emplace(path, m_input.dialect, m_input.cancel);
    m_file->line(m_header);
}

bool DeliverableTable::close() {
    const DeliverableResult closed = endDeliverable(*m_file, m_input.cancel);
    m_result.state = closed.state;
    m_result.reason = closed.reason;
    return closed.state == DeliverableResult::State::Written;
}

bool DeliverableTable::line(std::span<const std::string> cells) {
    if (m_isCut && m_rows == m_input.rowsOfTable) {
        if (!close()) return false;
        open();
    }
    ++m_rows;
    m_file->line(cells);
    return m_file->goesOn();
}

void DeliverableTable::lines(std::size_t count, const Make& make) {
    static constexpr std::size_t kAtOnce = 512;
    for (std::size_t first = 0; first < count;) {
        if (m_isCut && m_rows == m_input.rowsOfTable) {
            if (!close()) return;
            open();
        }
        const std::size_t here = m_isCut ? std::min(count - first, m_input.rowsOfTable - m_rows) : count;
        m_file->eachBlock((here + kAtOnce - 1) / kAtOnce,
                          [&](std::size_t block, TextBuffer& text) {
                              CellText cells(text, m_input.dialect);
                              const std::size_t from = block * kAtOnce, to = std::min(from + kAtOnce, here);
                              for (std::size_t i = from; i < to; ++i) {
                                  make(first + i, cells);
                                  cells.endLine();
                              }
                          },
                          [this](std::string_view text) { m_file->append(text); });
        if (!m_file->goesOn()) return;
        m_rows += here;
        first += here;
    }
}

DeliverableResult DeliverableTable::end() {
    if (m_result.state == DeliverableResult::State::Written) close();
    return m_result;
}

DeliverableResult writeLines(const DeliverableInput& input, std::string_view stem,
                             const std::vector<std::vector<std::string>>& lines) {
    if (lines.size() <= 1) return {DeliverableResult::State::Nothing};
    DeliverableTable table(input, stem, lines.front(), lines.size() - 1);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (!table.line(lines[i])) break;
    }
    return table.end();
}

TaskIndex::TaskIndex(const TaskRecords& records) : m_records(records) {
    m_places.reserve(records.tasks.size());
    for (std::uint32_t i = 0; i < records.tasks.size(); ++i) {
        if (const auto& pos = records.tasks[i].pos) m_places.emplace_back(*pos, i);
    }
    parallelSort(std::span(m_places), [](const auto& a, const auto& b) { return a < b; }, {});
}

const TaskRecord* TaskIndex::at(SourcePos pos) const {
    const auto found = std::lower_bound(m_places.begin(), m_places.end(), std::pair(pos, std::uint32_t{0}));
    return found == m_places.end() || found->first != pos ? nullptr : &m_records.tasks[found->second];
}

std::int64_t deviceOfTrack(const Track& track) {
    static constexpr std::string_view kPrefix = "NPU ";
    const std::string_view label = track.labels;
    if (!label.starts_with(kPrefix)) return 0;
    return wholeNumber<std::int64_t>(label.substr(kPrefix.size())).value_or(0);
}

}  // namespace altiscope
