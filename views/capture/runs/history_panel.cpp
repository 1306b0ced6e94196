#include "views/capture/runs/history_panel.h"

#include "views/common/support/formatters.h"
#include "views/common/tables/row_copy.h"
#include "views/common/theme/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Changes of captures by others are seen after so long.
constexpr int kPollMs = 2000;

}  // namespace

HistoryPanel::HistoryPanel(JobRunner& jobs, std::filesystem::path folder, QWidget* parent)
    : QWidget(parent), m_folder(std::move(folder)), m_reading(jobs), m_title(new QLabel(this)),
      m_filter(new QLineEdit(this)), m_model(new HistoryModel(this)), m_table(new QTreeView(this)),
      m_repeat(new QToolButton(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_filter, 1);
    head->addWidget(m_repeat);
    column->addLayout(head);
    column->addWidget(m_table, 1);
    m_title->setBuddy(m_table);
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    connect(m_filter, &QLineEdit::textChanged, this, &HistoryPanel::applyFilter);
    m_repeat->setIcon(themedIcon(u"redo"_s));
    m_repeat->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_repeat->setFocusPolicy(Qt::StrongFocus);
    m_table->setModel(m_model);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    copyRowsByKey(*m_table);
    m_table->setTabKeyNavigation(false);
    m_table->header()->setStretchLastSection(true);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const int em = fontMetrics().averageCharWidth();
    const int widths[] = {14, 16, 17, 13};
    for (int i = 0; i < HistoryModel::Note; ++i) m_table->header()->resizeSection(i, em * widths[i]);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        m_current = row.isValid() ? m_model->records()[static_cast<std::size_t>(row.row())]->id : std::string();
        m_repeat->setEnabled(row.isValid());
        emit currentChanged();
    });
    connect(m_table, &QTreeView::doubleClicked, this, &HistoryPanel::repeatRequested);
    connect(m_repeat, &QToolButton::clicked, this, &HistoryPanel::repeatRequested);
    m_timer.setInterval(kPollMs);
    connect(&m_timer, &QTimer::timeout, this, &HistoryPanel::refresh);
    m_repeat->setEnabled(false);
    retranslate();
}

void HistoryPanel::refresh() {
    if (m_folder.empty()) return;
    // The reading on its way may have begun before what is to be seen.
    if (m_reading.busy()) {
        m_wantsRefresh = true;
        return;
    }
    m_reading.start([folder = m_folder, known = m_known](const CancelToken&) { return readRecords(folder, known); },
                    [this](KnownRecords records) {
                        take(std::move(records));
                        if (std::exchange(m_wantsRefresh, false)) refresh();
                        else emit wasRead();
                    });
}

HistoryPanel::KnownRecords HistoryPanel::readRecords(const std::filesystem::path& folder, const KnownRecords& before) {
    KnownRecords records;
    const capture::RecordStore store(folder);
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string id = at->path().filename().string();
        Known known{stampOf(at->path() / "session.json"), stampOf(store.noteFile(id)), nullptr};
        const auto found = before.find(id);
        if (found != before.end() && found->second.stamp == known.stamp && found->second.noteStamp == known.noteStamp) {
            known.record = found->second.record;
        } else if (auto record = store.load(id); record.ok()) {
            known.record = std::make_shared<const capture::CaptureRecord>(std::move(record).value());
        }
        records.emplace(id, std::move(known));
    }
    return records;
}

void HistoryPanel::take(KnownRecords records) {
    const bool same = std::equal(records.begin(), records.end(), m_known.begin(), m_known.end(),
                                 [](const auto& a, const auto& b) { return a.second.record == b.second.record; });
    m_known = std::move(records);
    if (same) return;
    CaptureRecords list;
    for (const auto& [id, known] : m_known) {
        if (known.record) list.push_back(known.record);
    }
    std::sort(list.begin(), list.end(),
              [](const auto& a, const auto& b) { return std::tie(a->started, a->id) > std::tie(b->started, b->id); });
    // A capture that an earlier window has left running is to be seen first.
    if (!std::exchange(m_wasRead, true) && m_current.empty()) {
        const auto open =
            std::find_if(list.begin(), list.end(), [](const auto& record) { return !capture::isOver(record->state); });
        if (open != list.end()) m_current = (*open)->id;
    }
    {
        const QSignalBlocker quiet(m_table->selectionModel());
        m_model->setRecords(std::move(list));
    }
    applyFilter();
    showCurrent();
    emit currentChanged();
}

void HistoryPanel::applyFilter() {
    int first = -1, shown = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const bool matches = m_model->matches(row, m_filter->text());
        m_table->setRowHidden(row, {}, !matches);
        if (!matches) continue;
        if (first < 0) first = row;
        ++shown;
    }
    m_shown = shown;
    showTitle();
    const int current = m_model->rowOf(m_current);
    // Text that is being typed stays with what is shown.
    if (m_filter->hasFocus() && first >= 0 && (current < 0 || m_table->isRowHidden(current, {})))
        m_table->setCurrentIndex(m_model->index(first, 0));
}

void HistoryPanel::showTitle() {
    m_title->setText(m_filter->text().isEmpty() ? tr("Histor&y")
                                                : tr("Histor&y: %1 of %2").arg(m_shown).arg(m_model->rowCount()));
}

/// From the filter to the list below it, as the arrow keys point.
bool HistoryPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_filter && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) return m_table->setFocus(), true;
        if (key == Qt::Key_Escape && !m_filter->text().isEmpty()) return m_filter->clear(), true;
    }
    return QWidget::eventFilter(watched, event);
}

void HistoryPanel::showCurrent() {
    const QSignalBlocker quiet(m_table->selectionModel());
    const int row = m_model->rowOf(m_current);
    m_table->setCurrentIndex(row < 0 ? QModelIndex() : m_model->index(row, 0));
    m_table->viewport()->update();
    m_repeat->setEnabled(row >= 0);
}

std::shared_ptr<const capture::CaptureRecord> HistoryPanel::current() const {
    const int row = m_model->rowOf(m_current);
    return row < 0 ? nullptr : m_model->records()[static_cast<std::size_t>(row)];
}

std::shared_ptr<const capture::CaptureRecord> HistoryPanel::former() const {
    const int row = m_model->rowOf(m_current);
    return row < 0 ? nullptr : formerOf(m_model->records(), static_cast<std::size_t>(row));
}

void HistoryPanel::choose(const std::string& id) {
    m_current = id;
    showCurrent();
    emit currentChanged();
}

void HistoryPanel::showEvent(QShowEvent* event) {
    refresh();
    m_timer.start();
    QWidget::showEvent(event);
}

void HistoryPanel::hideEvent(QHideEvent* event) {
    m_timer.stop();
    QWidget::hideEvent(event);
}

void HistoryPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        m_table->viewport()->update();
    }
    QWidget::changeEvent(event);
}

void HistoryPanel::retranslate() {
    showTitle();
    m_filter->setPlaceholderText(tr("Captures with this in method, target, note or settings"));
    m_filter->setAccessibleName(tr("Filter of the history"));
    m_table->setAccessibleName(tr("History"));
    m_repeat->setText(tr("&Repeat"));
    m_repeat->setToolTip(tr("Puts the settings of the chosen capture into the form, to be changed and started"));
}

}  // namespace altiscope
