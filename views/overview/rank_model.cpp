#include "views/overview/rank_model.h"

#include "views/common/data_words.h"
#include "views/common/formatters.h"
#include "views/common/icons.h"
#include "views/common/table_view.h"

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

bool isNumber(int column) {
    switch (column) {
    case RankModel::RankColumn:
    case RankModel::DeviceColumn:
    case RankModel::SpanColumn:
    case RankModel::TracksColumn:
    case RankModel::SlicesColumn:
    case RankModel::FlowsColumn: return true;
    default: return false;
    }
}

QString missingWords(const RankInfo& info) {
    QStringList words;
    for (const MissingData& missing : info.missing) words << dataTitle(missing.what);
    return words.join(u", "_s);
}

QString missingReasons(const RankInfo& info) {
    QStringList lines;
    for (const MissingData& missing : info.missing) lines << missingText(missing);
    return lines.join(u'\n');
}

QString numberOrNone(const std::optional<std::int64_t>& number) {
    return number ? QString::number(*number) : QString();
}

}  // namespace

RankModel::RankModel(Session& session, QObject* parent) : QAbstractTableModel(parent), m_session(session) {
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
    if (!rows.empty() && std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), sameThing)) {
        m_rows = std::move(rows);
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void RankModel::retranslate() {
    if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

const std::vector<std::pair<std::string, std::string>>& RankModel::metadata(int row) const {
    static const std::vector<std::pair<std::string, std::string>> kNone;
    return row < 0 || row >= rowCount() ? kNone : m_rows[static_cast<std::size_t>(row)].rank->info.metadata;
}

int RankModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RankModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

RankSummary RankModel::summaryOf(const Row& row) const {
    const OpenCapture* capture = m_session.capture(row.capture);
    return capture == nullptr ? RankSummary{} : altiscope::summaryOf(*capture, *row.rank);
}

QVariant RankModel::display(const Row& row, int column) const {
    const RankInfo& info = row.rank->info;
    const TraceStore* trace = row.rank->trace.get();
    switch (column) {
    case CaptureColumn: return row.captureName;
    case RankColumn: return info.rankId ? QString::number(*info.rankId) : tr("unknown");
    case DeviceColumn: return numberOrNone(info.deviceId);
    case HostColumn: return toQString(info.host);
    case StateColumn: return summaryOf(row).stateWord;
    case FrameworkColumn: return frameworkTitle(info.framework);
    case SourceColumn: return sourceTitle(info.source);
    case StepsColumn: return stepsText(*row.rank);
    case MissingColumn: return missingWords(info);
    default: break;
    }
    if (trace == nullptr) return {};
    switch (column) {
    case StartColumn: return formatAbsoluteTime(trace->homeRange().begin);
    case SpanColumn: return formatDuration(trace->homeRange().length());
    case TracksColumn: return formatCount(trace->tracks().size());
    case SlicesColumn: return formatCount(trace->sliceCount());
    case FlowsColumn: return formatCount(trace->flowCount());
    default: return {};
    }
}

QVariant RankModel::sortValue(const Row& row, int column) {
    const RankInfo& info = row.rank->info;
    const TraceStore* trace = row.rank->trace.get();
    switch (column) {
    case CaptureColumn: return row.captureName;
    case RankColumn: return QVariant::fromValue<qlonglong>(info.rankId.value_or(-1));
    case DeviceColumn: return QVariant::fromValue<qlonglong>(info.deviceId.value_or(-1));
    case HostColumn: return toQString(info.host);
    case StateColumn: return static_cast<int>(info.state);
    case FrameworkColumn: return static_cast<int>(info.framework);
    case SourceColumn: return static_cast<int>(info.source);
    case StepsColumn:
        return QVariant::fromValue<qlonglong>(row.rank->steps.empty() ? -1 : row.rank->steps.front().number);
    case MissingColumn: return QVariant::fromValue<qulonglong>(info.missing.size());
    default: break;
    }
    if (trace == nullptr) return -1;
    switch (column) {
    case StartColumn: return QVariant::fromValue<qlonglong>(trace->homeRange().begin.value);
    case SpanColumn: return QVariant::fromValue<qlonglong>(trace->homeRange().length().value);
    case TracksColumn: return QVariant::fromValue<qulonglong>(trace->tracks().size());
    case SlicesColumn: return QVariant::fromValue<qulonglong>(trace->sliceCount());
    case FlowsColumn: return QVariant::fromValue<qulonglong>(trace->flowCount());
    default: return {};
    }
}

QString RankModel::exactText(const Row& row, int column) {
    const TraceStore* trace = row.rank->trace.get();
    if (trace == nullptr) return {};
    switch (column) {
    case StartColumn: return QString::number(trace->homeRange().begin.value) + u" ns"_s;
    case SpanColumn: return formatExactNs(trace->homeRange().length());
    default: return {};
    }
}

QVariant RankModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return display(row, column);
    case kSortRole: return sortValue(row, column);
    case kCopyRole: {
        const bool bare = column == StartColumn || column == SpanColumn || column == TracksColumn ||
                          column == SlicesColumn || column == FlowsColumn;
        return bare && row.rank->trace ? sortValue(row, column) : QVariant();
    }
    case Qt::ToolTipRole: {
        if (column == MissingColumn) return missingReasons(row.rank->info);
        const QString exact = exactText(row, column);
        if (!exact.isEmpty()) return exact;
        const OpenCapture* capture = m_session.capture(row.capture);
        return capture ? rankFacts(*capture, *row.rank) : QString();
    }
    case Qt::DecorationRole: {
        if (column != StateColumn) return {};
        const RankSummary summary = summaryOf(row);
        return themedIcon(summary.stateIcon, summary.stateTone);
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

QVariant RankModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && isNumber(section))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::DisplayRole) {
        switch (section) {
        case CaptureColumn: return tr("Capture");
        case RankColumn: return tr("Rank");
        case DeviceColumn: return tr("NPU");
        case HostColumn: return tr("Host");
        case StateColumn: return tr("State");
        case FrameworkColumn: return tr("Framework");
        case SourceColumn: return tr("Source");
        case StartColumn: return tr("Start");
        case SpanColumn: return tr("Length");
        case StepsColumn: return tr("Steps");
        case TracksColumn: return tr("Tracks");
        case SlicesColumn: return tr("Slices");
        case FlowsColumn: return tr("Flows");
        case MissingColumn: return tr("Missing");
        default: return {};
        }
    }
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case RankColumn:
            return tr("Number of the process in the job, from profiler_info_*.json, the file's name or its metadata.");
        case DeviceColumn: return tr("Number of the NPU on its host. It differs from the rank.");
        case HostColumn: return tr("Name of the machine, from the metadata or the folder's name.");
        case StateColumn: return tr("How much of the rank's files was read.");
        case SourceColumn:
            return tr("Where the numbers come from: text files, a database, raw data, or results for a cluster.");
        case StartColumn:
            return tr("First event on the trace's own clock, events that lie far from all others left out.");
        case SpanColumn:
            return tr("From the first event to the end of the last one, events that lie far from all others left out.");
        case StepsColumn: return tr("Numbers of the steps, from slices named ProfilerStep#N.");
        case TracksColumn: return tr("Threads, streams and counters with at least one event.");
        case SlicesColumn: return tr("Complete events and pairs of begin and end in the timeline file.");
        case FlowsColumn: return tr("Arrows from one slice to another whose start and finish were both found.");
        case MissingColumn: return tr("What was not recorded. The tooltip of a cell names the switches.");
        default: return {};
        }
    }
    return {};
}

}  // namespace altiscope
