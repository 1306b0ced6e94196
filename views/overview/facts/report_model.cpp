#include "views/overview/facts/report_model.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/overview/facts/capture_texts.h"

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

std::string_view weightName(ReportModel::Weight weight) {
    switch (weight) {
    case ReportModel::Weight::Info: return "info";
    case ReportModel::Weight::Repaired: return "repaired";
    case ReportModel::Weight::Lost: return "lost";
    case ReportModel::Weight::Failed: return "failed";
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

ReportModel::ReportModel(Session& session, QObject* parent) : QObject(parent), m_session(session) {
    connect(&session, &Session::captureOpened, this, &ReportModel::rebuild);
    connect(&session, &Session::captureChanged, this, &ReportModel::rebuild);
    connect(&session, &Session::captureClosed, this, &ReportModel::rebuild);
    buildTable();
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
                        .message = errorSentence(error),
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
    const bool sameRows = std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), sameThing);
    m_rows = std::move(rows);
    buildTable();
    emit changed(sameRows);
    if (warnings != warningCount()) emit warningCountChanged();
}

int ReportModel::warningCount() const {
    return static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(),
                                          [](const Row& row) { return row.weight > Weight::Info || row.unread; }));
}

bool ReportModel::severalCaptures() const { return !m_rows.empty() && m_rows.front().capture != m_rows.back().capture; }

std::optional<std::size_t> ReportModel::firstRowOf(CaptureId capture) const {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [capture](const Row& row) { return row.capture == capture; });
    return found == m_rows.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m_rows.begin()));
}

void ReportModel::buildTable() {
    ColumnTableBuilder builder(
        {{.name = "severity", .type = CellType::Text, .order = {"info", "repaired", "lost", "failed"}},
         {.name = "count", .unit = CellUnit::Count},
         {.name = "capture", .type = CellType::Text},
         {.name = "message", .type = CellType::Text},
         {.name = "file", .type = CellType::Text},
         {.name = "place", .type = CellType::Text},
         {.name = "code", .type = CellType::Text}});
    const auto setText = [&builder](Column column, const QString& text) {
        if (!text.isEmpty()) builder.setText(static_cast<std::size_t>(column), text.toStdString());
    };
    for (const Row& row : m_rows) {
        builder.addRow();
        builder.setText(static_cast<std::size_t>(Column::Severity), weightName(row.weight));
        builder.setInteger(static_cast<std::size_t>(Column::Count), static_cast<std::int64_t>(row.count));
        setText(Column::Capture, row.captureName);
        setText(Column::Message, row.message);
        setText(Column::File, row.file);
        setText(Column::Place, row.place);
        setText(Column::Code, row.code);
    }
    m_table = builder.finish();
}

QIcon ReportModel::icon(Weight weight) {
    switch (weight) {
    case Weight::Info: return themedIcon(u"info"_s, IconTone::Muted);
    case Weight::Repaired: return themedIcon(u"repaired"_s, IconTone::Warning);
    case Weight::Lost: return themedIcon(u"warning"_s, IconTone::Warning);
    case Weight::Failed: return themedIcon(u"error"_s, IconTone::Error);
    }
    return {};
}

QString ReportModel::fullText(const Row& row) {
    QStringList lines{row.message, row.file, row.place, row.code};
    lines.removeAll(QString());
    return lines.join(u'\n');
}

std::vector<ColumnHeading> ReportModel::headings() {
    const auto severity = [](const QString& word) {
        if (word == "info"_L1) return tr("Note");
        if (word == "repaired"_L1) return tr("Repaired");
        if (word == "lost"_L1) return tr("Data lost");
        return word == "failed"_L1 ? tr("Failed") : word;
    };
    return {{tr("Severity"),
             tr("Note: nothing changed. Repaired: a record was kept in a changed form. Data lost: one or more records "
                "are not in the tables."),
             severity},
            {tr("Count"), tr("How many records of the file this concerns.")},
            {tr("Capture"), {}},
            {tr("What happened"), {}},
            {tr("File"), {}, {}, Qt::ElideLeft},
            {tr("Place"), tr("Where it was found first: the byte or row of the file, up to five of them.")},
            {tr("Code"), tr("The same in every language; altiscope-cli --diagnostics prints it as well.")}};
}

}  // namespace altiscope
