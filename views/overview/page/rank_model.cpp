#include "views/overview/page/rank_model.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// "memory, l2_cache"
std::string missingNames(const RankInfo& info) {
    std::string names;
    for (const MissingData& missing : info.missing) names += (names.empty() ? "" : ", ") + missing.what;
    return names;
}

QString missingReasons(const RankInfo& info) {
    QStringList lines;
    for (const MissingData& missing : info.missing) lines << missingText(missing);
    return lines.join(u'\n');
}

/// The name's value among those of an enumeration, whose names end where they are empty.
template <class Value>
std::optional<Value> valueOf(const QString& name, std::string_view (*nameOf)(Value)) {
    for (int i = 0; !nameOf(static_cast<Value>(i)).empty(); ++i) {
        if (toQString(nameOf(static_cast<Value>(i))) == name) return static_cast<Value>(i);
    }
    return std::nullopt;
}

QString frameworkWord(const QString& name) {
    const auto framework = valueOf(name, frameworkName);
    return framework ? frameworkTitle(*framework) : name;
}

QString sourceWord(const QString& name) {
    const auto source = valueOf(name, sourceKindName);
    return source ? sourceTitle(*source) : name;
}

QString missingWord(const QString& names) {
    QStringList words;
    for (const QString& name : names.split(u", "_s)) words << dataTitle(name.toStdString());
    return words.join(u", "_s);
}

}  // namespace

RankModel::RankModel(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    connect(&session, &Session::captureOpened, this, &RankModel::rebuild);
    connect(&session, &Session::captureChanged, this, &RankModel::rebuild);
    connect(&session, &Session::captureClosed, this, &RankModel::rebuild);
    rebuild();
}

void RankModel::rebuild() {
    std::vector<Row> rows;
    for (const OpenCapture& capture : m_session.captures()) {
        if (capture.store == nullptr) continue;
        for (const RankEntry& rank : capture.store->ranks)
            rows.push_back({capture.id, captureName(capture), capture.store, &rank});
    }
    const auto sameThing = [](const Row& a, const Row& b) {
        return a.capture == b.capture && a.rank->info.path == b.rank->info.path &&
               a.rank->info.deviceId == b.rank->info.deviceId;
    };
    const bool sameRows = std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), sameThing);
    m_rows = std::move(rows);
    buildTable();
    emit changed(sameRows);
}

void RankModel::buildTable() {
    // Ranks begin nearly together: what matters is how far apart.
    std::int64_t origin = 0;
    if (const OpenCapture* capture = m_rows.empty() ? nullptr : m_session.capture(m_rows.front().capture);
        capture != nullptr)
        origin = capture->times.origin().value_or(TimeNs{}).value;
    const auto text = [](const char* name) { return TableColumn{.name = name, .type = CellType::Text}; };
    const auto count = [](const char* name) { return TableColumn{.name = name, .unit = CellUnit::Count}; };
    TableColumn state = text("state");
    state.order = {"raw", "listed", "reading", "partial", "in_part", "cluster", "ok"};
    ColumnTableBuilder builder({text("capture"),
                                {.name = "rank_id"},
                                {.name = "device_id"},
                                text("host"),
                                state,
                                text("framework"),
                                text("source"),
                                {.name = "start_ts", .unit = CellUnit::Time, .origin = origin},
                                {.name = "length", .unit = CellUnit::Duration},
                                text("steps"),
                                count("tracks"),
                                count("slices"),
                                count("flows"),
                                text("missing")});
    const auto at = [](Column column) { return static_cast<std::size_t>(column); };
    const OpenCapture* open = nullptr;
    for (const Row& row : m_rows) {
        const RankInfo& info = row.rank->info;
        const auto setText = [&](Column column, std::string_view words) {
            if (!words.empty()) builder.setText(at(column), words);
        };
        builder.addRow();
        setText(Column::Capture, row.captureName.toStdString());
        builder.setRank(at(Column::Rank), info);
        builder.setInteger(at(Column::Device), info.deviceId);
        setText(Column::Host, info.host);
        if (open == nullptr || open->id != row.capture) open = m_session.capture(row.capture);
        if (open != nullptr) setText(Column::State, rankStateOf(*open, *row.rank));
        setText(Column::Framework, frameworkName(info.framework));
        setText(Column::Source, sourceKindName(info.source));
        setText(Column::Steps, stepsText(*row.rank).toStdString());
        setText(Column::Missing, missingNames(info));
        const TraceStore* trace = row.rank->trace.get();
        if (trace == nullptr) continue;
        builder.setInteger(at(Column::Start), trace->homeRange().begin.value);
        builder.setInteger(at(Column::Span), trace->homeRange().length().value);
        builder.setInteger(at(Column::Tracks), static_cast<std::int64_t>(trace->tracks().size()));
        builder.setInteger(at(Column::Slices), static_cast<std::int64_t>(trace->sliceCount()));
        builder.setInteger(at(Column::Flows), static_cast<std::int64_t>(trace->flowCount()));
    }
    m_table = builder.finish();
}

const RankModel::Metadata& RankModel::metadata(std::size_t row) const {
    static const Metadata kNone;
    return row >= m_rows.size() ? kNone : m_rows[row].rank->info.metadata;
}

RankSummary RankModel::summaryOf(const Row& row) const {
    const OpenCapture* capture = m_session.capture(row.capture);
    return capture == nullptr ? RankSummary{} : altiscope::summaryOf(*capture, *row.rank);
}

QIcon RankModel::icon(std::size_t row) const {
    if (row >= m_rows.size()) return {};
    const RankSummary summary = summaryOf(m_rows[row]);
    return themedIcon(summary.stateIcon, summary.stateTone);
}

QString RankModel::tip(std::size_t row, Column column) const {
    if (row >= m_rows.size()) return {};
    if (column == Column::Missing) return missingReasons(m_rows[row].rank->info);
    const OpenCapture* capture = m_session.capture(m_rows[row].capture);
    const bool isRank = column == Column::Rank || column == Column::Device || column == Column::Host ||
                        column == Column::State || column == Column::Source;
    return isRank && capture != nullptr ? rankFacts(*capture, *m_rows[row].rank) : QString();
}

std::vector<ColumnHeading> RankModel::headings() {
    return {
        {tr("Capture"), {}},
        {tr("Rank"),
         tr("Number of the process in the job, from profiler_info_*.json, the file's name or its metadata.")},
        {tr("NPU"), tr("Number of the NPU on its host. It differs from the rank.")},
        {tr("Host"), tr("Name of the machine, from the metadata or the folder's name.")},
        {tr("State"), tr("How much of the rank's files was read."), rankStateWord},
        {tr("Framework"), {}, frameworkWord},
        {tr("Source"), tr("Where the numbers come from: text files, a database, raw data, or results for a cluster."),
         sourceWord},
        {tr("Start"), tr("First event since the start of the capture, without events that lie far from all others.")},
        {tr("Duration"),
         tr("From the first event to the end of the last one, without events that lie far from all others.")},
        {tr("Steps"), tr("Numbers of the steps, from slices named ProfilerStep#N.")},
        {tr("Tracks"), tr("Threads, streams and counters with at least one event.")},
        {tr("Slices"), tr("Complete events and pairs of begin and end in the timeline file.")},
        {tr("Flows"), tr("Arrows from one slice to another whose start and finish were both found.")},
        {tr("Missing"), tr("What was not recorded. The tooltip of a cell names the switches."), missingWord}};
}

}  // namespace altiscope
