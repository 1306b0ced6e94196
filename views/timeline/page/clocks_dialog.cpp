#include "views/timeline/page/clocks_dialog.h"

#include "views/common/plots/time_axis.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/timeline/panels/go_to.h"
#include "views/timeline/times/shift_text.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace altiscope {

namespace {

enum ClockColumn { kRank, kOffset, kFirst, kFrom, kColumns };

QTableWidgetItem* fixedCell(const QString& text) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(item->flags() & ~Qt::ItemIsEditable);
    item->setToolTip(text);
    return item;
}

}  // namespace

std::optional<DurationNs> readShift(const QString& text) {
    // A time since 0, with its units; one without is in ns.
    QString written = text;
    written.replace(QChar(0x2212), u'-');
    const auto read = readGoTo(written, TimeNs{}, DurationNs{});
    const auto* time = read ? std::get_if<TimeNs>(&*read) : nullptr;
    // Times that are longer come as that one.
    return time == nullptr || std::abs(time->value) >= kMaxTimeNs ? std::nullopt
                                                                  : std::optional(DurationNs{time->value});
}

ClocksDialog::ClocksDialog(const TimelineScene& scene, QWidget* parent)
    : QDialog(parent), m_origin(scene.origin()), m_table(new QTableWidget(0, kColumns, this)),
      m_problem(new QLabel(this)) {
    for (const TimelineSource& source : scene.model().sources()) {
        if (isOpenCapture(source.capture)) m_sources.push_back(source);
    }
    setWindowTitle(tr("Clocks of ranks"));
    auto* text =
        new QLabel(withUnbrokenUnits(tr(
                       "By how much each rank is drawn later (positive, to the right) or earlier (negative, to the "
                       "left) than it was recorded. "
                       "In ns, or with a unit: -1.5 ms. Recorded times in statistics and queries stay as they are.")),
                   this);
    text->setWordWrap(true);
    m_table->setHorizontalHeaderLabels({tr("Rank"), tr("Offset, ns"), tr("First event at"), tr("Moved")});
    m_table->setAccessibleName(windowTitle());
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                             QAbstractItemView::AnyKeyPressed);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    QPalette red = m_problem->palette();
    red.setColor(QPalette::WindowText, themeOf(palette()).error);
    m_problem->setPalette(red);
    m_problem->setWordWrap(true);

    auto* start = new QPushButton(tr("Align to &start"), this);
    start->setToolTip(
        tr("Moves the first event of the chosen ranks (of all if none is chosen) to the first event of their capture"));
    connect(start, &QPushButton::clicked, this, &ClocksDialog::alignToStart);
    auto* buttons =
        new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Apply | QDialogButtonBox::Cancel, this);
    auto* reset = buttons->addButton(tr("&Reset all"), QDialogButtonBox::ResetRole);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    m_apply = buttons->button(QDialogButtonBox::Apply);
    // Return ends the editing of a cell; it is not to close the dialog too.
    for (QAbstractButton* button : buttons->buttons()) static_cast<QPushButton*>(button)->setAutoDefault(false);
    start->setAutoDefault(false);
    connect(reset, &QPushButton::clicked, this, &ClocksDialog::resetAll);
    connect(m_apply, &QPushButton::clicked, this, &ClocksDialog::apply);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        apply();
        accept();
    });
    auto* column = new QVBoxLayout(this);
    column->addWidget(text);
    column->addWidget(m_table, 1);
    column->addWidget(m_problem);
    column->addWidget(start, 0, Qt::AlignLeft);
    column->addWidget(buttons);
    fill();
    connect(m_table, &QTableWidget::cellChanged, this, [this](int row, int changed) {
        if (changed == kOffset) read(row);
    });
    const QFontMetrics metrics(font());
    resize(metrics.averageCharWidth() * 100,
           metrics.height() * std::clamp(static_cast<int>(m_lines.size()) * 2 + 14, 20, 34));
}

QString ClocksDialog::titleOf(const Line& line) const {
    const TimelineSource& source = m_sources[line.source];
    const QString rank = rankTitle(source.store->ranks[line.rank.value].info);
    return m_sources.size() < 2 ? rank : tr("%1: %2", "capture: rank").arg(source.name(), rank);
}

void ClocksDialog::fill() {
    const QSignalBlocker blocker(m_table);
    for (std::uint32_t s = 0; s < m_sources.size(); ++s) {
        const RankShifts* shifts = m_sources[s].rankShifts.get();
        const CaptureStore& store = *m_sources[s].store;
        for (RankIndex r; r.value < store.ranks.size(); ++r.value) {
            const TraceStore* trace = store.ranks[r.value].trace.get();
            if (trace == nullptr) continue;
            Line line{s, r, shifts == nullptr ? 0 : shifts->of(r).value, {}};
            if (!trace->range().empty()) line.first = trace->homeRange().begin;
            m_lines.push_back(line);
        }
    }
    m_table->setRowCount(static_cast<int>(m_lines.size()));
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const int row = static_cast<int>(i);
        m_table->setItem(row, kRank, fixedCell(titleOf(m_lines[i])));
        auto* offset = new QTableWidgetItem;
        offset->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_table->setItem(row, kOffset, offset);
        m_table->setItem(row, kFirst, fixedCell({}));
        m_table->item(row, kFirst)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_table->setItem(row, kFrom,
                         fixedCell(shiftOriginText(m_sources[m_lines[i].source].rankShifts.get(), m_lines[i].rank)));
        set(i, m_lines[i].shift);
    }
    m_table->resizeColumnsToContents();
    m_table->setColumnWidth(kOffset,
                            std::max(m_table->columnWidth(kOffset), fontMetrics().horizontalAdvance(u'0') * 22));
    if (!m_lines.empty()) m_table->setCurrentCell(0, kOffset);
    m_table->clearSelection();
    refresh();
}

void ClocksDialog::set(std::size_t line, std::int64_t shift) {
    const QSignalBlocker blocker(m_table);
    const int row = static_cast<int>(line);
    Line& own = m_lines[line];
    const bool isChanged = own.shift != shift;
    own.shift = shift;
    std::erase(m_wrong, line);
    m_table->item(row, kOffset)->setText(formatPlainNs({shift}));
    m_table->item(row, kOffset)->setForeground(palette().text());
    if (isChanged) m_table->item(row, kFrom)->setText(shift == 0 ? QString() : tr("by hand"));
    if (own.first)
        m_table->item(row, kFirst)
            ->setText(formatRelativeTime(shifted(*own.first, {shift + m_sources[own.source].shift.value}), m_origin));
}

void ClocksDialog::read(int row) {
    const auto line = static_cast<std::size_t>(row);
    if (const auto shift = readShift(m_table->item(row, kOffset)->text())) {
        set(line, shift->value);
        // A time before all others has a sign.
        m_table->resizeColumnToContents(kFirst);
    } else {
        const QSignalBlocker blocker(m_table);
        m_table->item(row, kOffset)->setForeground(themeOf(palette()).error);
        std::erase(m_wrong, line);
        m_wrong.push_back(line);
    }
    refresh();
}

void ClocksDialog::refresh() {
    m_problem->setText(m_wrong.empty() ? QString()
                                       : tr("%1: this is not a time.").arg(titleOf(m_lines[m_wrong.front()])));
    m_ok->setEnabled(m_wrong.empty());
    m_apply->setEnabled(m_wrong.empty());
}

void ClocksDialog::alignToStart() {
    std::set<std::size_t> chosen;
    for (const QTableWidgetItem* item : m_table->selectedItems()) chosen.insert(static_cast<std::size_t>(item->row()));
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        if ((!chosen.empty() && !chosen.contains(i)) || !line.first) continue;
        const auto start = firstEventOf(*m_sources[line.source].store);
        if (start) set(i, (*start - *line.first).value);
    }
    refresh();
}

void ClocksDialog::resetAll() {
    for (std::size_t i = 0; i < m_lines.size(); ++i) set(i, 0);
    refresh();
}

void ClocksDialog::apply() {
    for (std::uint32_t s = 0; s < m_sources.size(); ++s) {
        std::vector<std::int64_t> shifts(m_sources[s].store->ranks.size());
        for (const Line& line : m_lines) {
            if (line.source == s) shifts[line.rank.value] = line.shift;
        }
        emit applied(m_sources[s].capture, shifts);
    }
}

}  // namespace altiscope
