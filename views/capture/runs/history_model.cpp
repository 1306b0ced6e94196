#include "views/capture/runs/history_model.h"

#include "core/capture/files/text_diff.h"
#include "core/capture/methods/method.h"
#include "views/capture/support/host_texts.h"
#include "views/capture/support/method_texts.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QStringList>

#include <algorithm>
#include <map>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

struct HistoryTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::HistoryTexts)
};

/// A line for each setting, the last of those with the same name; sorted.
std::string settingLines(const capture::CaptureRecord& record) {
    std::map<std::string, std::string> settings;
    if (!record.preset.empty()) settings["(preset)"] = record.preset;
    if (!record.launch.empty()) settings["(command)"] = record.launch;
    for (const auto& [name, value] : record.assignments) settings[name] = value;
    std::string lines;
    for (const auto& [name, value] : settings) lines += name + "=" + value + "\n";
    return lines;
}

/// Settings and notes may hold anything.
QString tipOf(const CaptureRecords& records, std::size_t which) {
    const capture::CaptureRecord& record = *records[which];
    QString tip = toQString(record.id) + u'\n' + toQString(settingLines(record));
    if (!record.note.empty()) tip.prepend(toQString(record.note) + u"\n\n"_s);
    if (const auto former = formerOf(records, which)) tip += u'\n' + settingsSince(*former, record);
    return plainTip(tip.trimmed());
}

}  // namespace

std::shared_ptr<const capture::CaptureRecord> formerOf(const CaptureRecords& records, std::size_t which) {
    const auto former = std::find_if(records.begin() + static_cast<std::ptrdiff_t>(which) + 1, records.end(),
                                     [&](const auto& other) { return other->method == records[which]->method; });
    return former == records.end() ? nullptr : *former;
}

QString settingsSince(const capture::CaptureRecord& former, const capture::CaptureRecord& record) {
    const std::string changes = settingChanges(former, record);
    if (changes.empty()) return HistoryTexts::tr("The same settings as the capture before.");
    return HistoryTexts::tr("Changed since the capture before:") + u'\n' + toQString(changes).trimmed();
}

std::string settingChanges(const capture::CaptureRecord& before, const capture::CaptureRecord& after) {
    const std::string diff = capture::unifiedDiff(settingLines(before), settingLines(after), "settings");
    std::string changes;
    for (std::size_t at = 0; at < diff.size();) {
        const std::size_t end = std::min(diff.find('\n', at), diff.size());
        const std::string_view line = std::string_view(diff).substr(at, end - at);
        const bool isHead = line.starts_with("---") || line.starts_with("+++");
        if (!isHead && (line.starts_with('+') || line.starts_with('-')))
            changes += std::string(line.substr(0, 1)) + " " + std::string(line.substr(1)) + "\n";
        at = end + 1;
    }
    return changes;
}

void HistoryModel::setRecords(CaptureRecords records) {
    const bool same = std::equal(records.begin(), records.end(), m_records.begin(), m_records.end(),
                                 [](const auto& a, const auto& b) { return a->id == b->id; });
    if (!same) beginResetModel();
    m_records = std::move(records);
    if (!same) endResetModel();
    else if (!m_records.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int HistoryModel::rowOf(const std::string& id) const {
    const auto found =
        std::find_if(m_records.begin(), m_records.end(), [&id](const auto& record) { return record->id == id; });
    return found == m_records.end() ? -1 : static_cast<int>(found - m_records.begin());
}

bool HistoryModel::matches(int row, const QString& text) const {
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    if (words.isEmpty()) return true;
    const capture::CaptureRecord& record = *m_records[static_cast<std::size_t>(row)];
    QString all = toQString(record.id) + u'\n' + toQString(settingLines(record));
    for (int column = 0; column < kColumns; ++column)
        all += data(index(row, column), Qt::DisplayRole).toString() + u'\n';
    return std::all_of(words.begin(), words.end(),
                       [&all](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

int HistoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_records.size());
}

int HistoryModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const std::size_t row = static_cast<std::size_t>(index.row());
    const capture::CaptureRecord& record = *m_records[row];
    if (role == Qt::ToolTipRole) return tipOf(m_records, row);
    if (role == Qt::DecorationRole && index.column() == State)
        return themedIcon(stateIcon(record.state), stateTone(record.state));
    if (role != Qt::DisplayRole) return {};
    if (index.column() == Started)
        return QDateTime::fromMSecsSinceEpoch(record.started / 1'000'000).toString(u"MM-dd HH:mm"_s);
    if (index.column() == State) return stateTitle(record.state);
    if (index.column() == Method) return toQString(record.method);
    if (index.column() == Note) return toQString(record.note);
    QStringList targets;
    for (const capture::TargetRecord& target : record.targets) targets << targetTitle(target.name);
    return targets.join(u", "_s);
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Started: return tr("Started");
    case State: return tr("State");
    case Method: return tr("Method");
    case Targets: return tr("Targets");
    default: return tr("Note");
    }
}

}  // namespace altiscope
