#include "core/import/mindspore/host_info_timeline.h"

#include "core/base/files/file.h"
#include "core/base/text/text.h"
#include "core/import/csv/csv_line.h"
#include "core/import/csv/csv_records.h"
#include "core/import/csv/csv_rows.h"
#include "core/import/mindspore/host_info.h"

#include <string>
#include <string_view>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::int64_t kNsPerUs = 1000;

/// Texts of users may hold anything.
std::string utf8Of(std::string_view text) { return isValidUtf8(text) ? std::string(text) : repairedUtf8(text); }

class HostInfoReader final : public TraceReader {
public:
    Result<ReadSummary> read(const SourceFile& file, ImportContext& context) override;

private:
    void take(const HostInfoRow& row, const SourceFile& file, Diagnostics& diagnostics, TraceBuilder::Names& names);
    HostInfoPairs m_pairs;
    Segment m_segment;
    std::uint64_t m_rows = 0;
};

void HostInfoReader::take(const HostInfoRow& row, const SourceFile& file, Diagnostics& diagnostics,
                          TraceBuilder::Names& names) {
    if (row.stampUs <= 0) return;
    const SourcePos pos = SourcePos::make(file.number, row.byte);
    const auto nameOf = [&] { return names.text(utf8Of(row.event + "::" + row.stage)); };
    switch (m_pairs.take(row)) {
    case HostInfoPairs::Outcome::Opened: return;
    case HostInfoPairs::Outcome::Replaced:
        return diagnostics.add("host_info.start_replaced", Severity::Lost, file.name, {PlaceUnit::Row, row.row});
    case HostInfoPairs::Outcome::Unmatched:
        return diagnostics.add("unmatched_end", Severity::Lost, file.name, {PlaceUnit::Row, row.row});
    case HostInfoPairs::Outcome::Closed: {
        const std::int64_t begin = m_pairs.start().stampUs;
        if (row.stampUs < begin)
            return diagnostics.add("unmatched_end", Severity::Lost, file.name, {PlaceUnit::Row, row.row});
        m_segment.slices.add(names.thread(row.pid, row.tid), begin * kNsPerUs, (row.stampUs - begin) * kNsPerUs,
                             nameOf(), names.text(utf8Of(row.module)), pos);
        ++m_rows;
        return;
    }
    case HostInfoPairs::Outcome::Single:
        m_segment.instants.push_back({names.thread(row.pid, row.tid), row.stampUs * kNsPerUs, nameOf(), pos});
        ++m_rows;
        return;
    }
}

Result<ReadSummary> HostInfoReader::read(const SourceFile& file, ImportContext& context) {
    TraceBuilder::Names names(context.builder);
    const auto read = eachHostInfoRow(file, nullptr, context.progress, context.cancel,
                                      [&](const HostInfoRow& row) { take(row, file, context.diagnostics, names); });
    if (!read.ok()) return read.as<ReadSummary>();
    for (const auto& [key, row] : m_pairs.open()) {
        m_segment.openEnds.push_back({names.thread(row.pid, row.tid), true, row.stampUs * kNsPerUs,
                                      names.text(utf8Of(row.event + '_' + row.stage)), names.text({}),
                                      SourcePos::make(file.number, row.byte)});
        ++m_rows;
    }
    context.builder.commit(SourcePos::make(file.number, 0), std::move(m_segment));
    if (context.committed) context.committed(file.size);
    return ReadSummary{file.size, m_rows, false};
}

class HostInfoArguments final : public ArgumentSource {
public:
    explicit HostInfoArguments(const SourceFile& file)
        : m_path(file.path), m_name(file.name), m_stamp(stampOf(file.path)) {}

    Result<std::string> arguments(SourcePos pos) const override {
        static constexpr std::size_t kMaxLine = std::size_t{64} << 10;
        const Error changed{"args.source_changed", m_name, Place{PlaceUnit::Byte, pos.offset()}.text(), {}};
        if (stampOf(m_path) != m_stamp) return changed;
        const auto file = ReadOnlyFile::openText(m_path);
        if (!file.ok()) return file.as<std::string>();
        const auto header = csvLineAt(file.value(), 0, kMaxLine);
        const auto line = csvLineAt(file.value(), pos.offset(), kMaxLine);
        if (!header.ok()) return header;
        if (!line.ok()) return line;
        const CsvColumns columns(csvCells(header.value()));
        const auto parent = columns.find("parent_pid"), mark = columns.find("start_end");
        const std::vector<std::string> cells = csvCells(line.value());
        if (!parent || !mark || cells.size() <= std::max(*parent, *mark)) return changed;
        // A start that nothing has ended has none.
        if (cells[*mark] == "0") return std::string();
        return "{\"parent_pid\": " + jsonQuoted(cells[*parent]) + "}";
    }

private:
    const std::filesystem::path m_path;
    const std::string m_name;
    const altiscope::FileStamp m_stamp;
};

}  // namespace

std::unique_ptr<TraceReader> makeHostInfoReader() { return std::make_unique<HostInfoReader>(); }

std::shared_ptr<const ArgumentSource> makeHostInfoArguments(const SourceFile& file) {
    return std::make_shared<HostInfoArguments>(file);
}

}  // namespace altiscope::reader
