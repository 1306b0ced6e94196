#include "views/capture/runs/run_model.h"

#include "views/capture/support/host_texts.h"
#include "views/capture/support/method_texts.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFont>

#include <map>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

struct RunTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::RunTexts)
};

}  // namespace

std::vector<RunRow> runRows(const capture::CaptureRecord& record) {
    std::map<std::string, const Error*> last;
    for (const capture::Event& event : record.events) {
        if (!event.rank && !event.message.code.empty()) last[event.host] = &event.message;
    }
    std::vector<RunRow> rows;
    for (const capture::TargetRecord& target : record.targets) {
        const auto message = last.find(target.name);
        // While results are copied only the capture as a whole says so.
        const bool isFetching = record.state == capture::State::Fetching;
        QString text = message == last.end() ? QString() : hostSentence(*message->second);
        if (!target.steps.code.empty() && !capture::isOver(record.state)) text = hostSentence(target.steps);
        rows.push_back({targetTitle(target.name), true, isFetching ? record.state : target.state, text});
        for (const capture::RankRecord& rank : target.ranks) {
            const QString name = rank.rank ? RunTexts::tr("rank %1").arg(*rank.rank)
                                           : hostText(rank.path.substr(rank.path.rfind('/') + 1));
            const QString text = rank.message.code.empty() ? hostText(rank.path) : hostSentence(rank.message);
            rows.push_back({name, false, rank.state, text});
        }
    }
    return rows;
}

QString eventLine(const capture::Event& event) {
    QString line = QDateTime::fromMSecsSinceEpoch(event.time / 1'000'000).toString(u"HH:mm:ss"_s) + u"  "_s +
                   targetTitle(event.host);
    if (event.rank) line += u"  "_s + RunTexts::tr("rank %1").arg(*event.rank);
    line += u"  "_s + stateTitle(event.state);
    if (!event.message.code.empty()) line += u"  "_s + hostSentence(event.message);
    return line;
}

void RunModel::setRows(std::vector<RunRow> rows) {
    if (rows == m_rows) return;
    if (rows.size() != m_rows.size()) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == m_rows[i]) continue;
        m_rows[i] = std::move(rows[i]);
        emit dataChanged(index(static_cast<int>(i), 0), index(static_cast<int>(i), kColumns - 1));
    }
}

int RunModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant RunModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const RunRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) {
        if (index.column() == Where) return row.isHost ? row.where : u"    "_s + row.where;
        if (index.column() == State) return stateTitle(row.state);
        return row.message;
    }
    if (role == Qt::ToolTipRole && index.column() == Message) return plainTip(row.message);
    if (role == Qt::DecorationRole && index.column() == State)
        return themedIcon(stateIcon(row.state), stateTone(row.state));
    if (role == Qt::DecorationRole && index.column() == Where && row.isHost) return themedIcon(u"host"_s);
    return {};
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    if (section == Where) return tr("Host and rank");
    if (section == State) return tr("State");
    return tr("Message");
}

}  // namespace altiscope
