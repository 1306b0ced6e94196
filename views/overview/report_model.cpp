#include "views/overview/report_model.h"

#include "core/base/catalogue.h"
#include "views/common/data_words.h"
#include "views/common/formatters.h"
#include "views/common/icons.h"
#include "views/common/table_view.h"
#include "views/overview/capture_facts.h"

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

ReportModel::Weight weightOf(Severity severity) {
    switch (severity) {
    case Severity::Info: return ReportModel::Weight::Info;
    case Severity::Repaired: return ReportModel::Weight::Repaired;
    case Severity::Lost: return ReportModel::Weight::Lost;
    }
    return ReportModel::Weight::Info;
}

QIcon iconOf(ReportModel::Weight weight) {
    switch (weight) {
    case ReportModel::Weight::Info: return themedIcon(u"info"_s, IconTone::Muted);
    case ReportModel::Weight::Repaired: return themedIcon(u"repaired"_s, IconTone::Warning);
    case ReportModel::Weight::Lost: return themedIcon(u"warning"_s, IconTone::Warning);
    case ReportModel::Weight::Failed: return themedIcon(u"error"_s, IconTone::Error);
    }
    return {};
}

/// "byte 17, byte 90 ...": the dots where there are more than the samples.
QString placesText(const Diagnostic& diagnostic) {
    QStringList places;
    for (const Place& place : diagnostic.places) {
        if (place.unit != PlaceUnit::Whole) places << formatPlace(place);
    }
    if (!places.isEmpty() && diagnostic.count > diagnostic.places.size()) places << u"…"_s;
    return places.join(u", "_s);
}

}  // namespace

ReportModel::ReportModel(Session& session, QObject* parent) : QAbstractTableModel(parent), m_session(session) {
    connect(&session, &Session::captureOpened, this, &ReportModel::rebuild);
    connect(&session, &Session::captureChanged, this, &ReportModel::rebuild);
    connect(&session, &Session::captureClosed, this, &ReportModel::rebuild);
    rebuild();
}

void ReportModel::appendRows(const OpenCapture& capture, std::vector<Row>& rows) {
    const QString name = altiscope::captureName(capture);
    if (capture.error) {
        const Error& error = *capture.error;
        rows.push_back({.capture = capture.id,
                        .captureName = name,
                        .weight = Weight::Failed,
                        .file = toQString(error.file),
                        .place = toQString(error.place),
                        .message = toQString(errorText(error, catalogueLanguage())),
                        .code = toQString(error.code)});
    }
    if (capture.store == nullptr) return;
    for (const Diagnostic& diagnostic : capture.store->diagnostics.entries()) {
        rows.push_back({.capture = capture.id,
                        .captureName = name,
                        .weight = weightOf(diagnostic.severity),
                        .unread = isUnreadSource(diagnostic),
                        .count = diagnostic.count,
                        .file = toQString(diagnostic.file),
                        .place = placesText(diagnostic),
                        .message = toQString(diagnostic.message(catalogueLanguage())),
                        .code = toQString(diagnostic.code)});
    }
}

void ReportModel::rebuild() {
    std::vector<Row> rows;
    for (const OpenCapture& capture : m_session.captures()) appendRows(capture, rows);
    if (rows == m_rows) return;
    const int warnings = warningCount();
    const auto sameThing = [](const Row& a, const Row& b) {
        return a.capture == b.capture && a.file == b.file && a.code == b.code;
    };
    if (std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), sameThing)) {
        // Counts grew or the language changed: what is selected stays so.
        m_rows = std::move(rows);
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    } else {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    if (warnings != warningCount()) emit warningCountChanged();
}

int ReportModel::warningCount() const {
    return static_cast<int>(
        std::count_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.weight > Weight::Info || row.unread; }));
}

bool ReportModel::severalCaptures() const { return !m_rows.empty() && m_rows.front().capture != m_rows.back().capture; }

bool ReportModel::anyPlace() const {
    return std::any_of(m_rows.begin(), m_rows.end(), [](const Row& row) { return !row.place.isEmpty(); });
}

int ReportModel::firstRowOf(std::uint32_t capture) const {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [capture](const Row& row) { return row.capture == capture; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int ReportModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ReportModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ReportModel::display(const Row& row, int column) const {
    switch (column) {
    case SeverityColumn:
        switch (row.weight) {
        case Weight::Info: return tr("Note");
        case Weight::Repaired: return tr("Repaired");
        case Weight::Lost: return tr("Data lost");
        case Weight::Failed: return tr("Failed");
        }
        return {};
    case CountColumn: return formatCount(row.count);
    case CaptureColumn: return row.captureName;
    case FileColumn: return row.file;
    case PlaceColumn: return row.place;
    case MessageColumn: return row.message;
    case CodeColumn: return row.code;
    default: return {};
    }
}

QVariant ReportModel::sortValue(const Row& row, int column) {
    switch (column) {
    case SeverityColumn: return static_cast<int>(row.weight);
    case CountColumn: return QVariant::fromValue(row.count);
    case CaptureColumn: return row.captureName;
    case FileColumn: return row.file;
    case PlaceColumn: return row.place;
    case MessageColumn: return row.message;
    case CodeColumn: return row.code;
    default: return {};
    }
}

QVariant ReportModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return display(row, index.column());
    case kSortRole: return sortValue(row, index.column());
    case kCopyRole: return index.column() == CountColumn ? QVariant(QString::number(row.count)) : QVariant();
    case Qt::ToolTipRole: {
        QStringList lines{row.message, row.file, row.place, row.code};
        lines.removeAll(QString());
        return lines.join(u'\n');
    }
    case Qt::DecorationRole: return index.column() == SeverityColumn ? QVariant(iconOf(row.weight)) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(index.column() == CountColumn ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignTop);
    default: return {};
    }
}

QVariant ReportModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::DisplayRole) {
        switch (section) {
        case SeverityColumn: return tr("Severity");
        case CountColumn: return tr("Count");
        case CaptureColumn: return tr("Capture");
        case FileColumn: return tr("File");
        case PlaceColumn: return tr("Place");
        case MessageColumn: return tr("What happened");
        case CodeColumn: return tr("Code");
        default: return {};
        }
    }
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case SeverityColumn:
            return tr("Note: nothing changed. Repaired: a record was kept in a changed form. Data lost: a record or "
                      "more is not in the tables.");
        case CountColumn: return tr("How many records of the file this concerns.");
        case PlaceColumn: return tr("Where it was met first: the byte or row of the file, up to five of them.");
        case CodeColumn: return tr("The same in every language; altiscope-cli --diagnostics prints it as well.");
        default: return {};
        }
    }
    return {};
}

}  // namespace altiscope
