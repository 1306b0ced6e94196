#include "views/overview/context_bar.h"

#include "core/base/values/parse.h"
#include "core/tables/overview/overview_numbers.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"
#include "views/overview/base_chooser.h"
#include "views/overview/facts/overview_facts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// More are written, not chosen.
constexpr std::size_t kMaxListed = 512;

}  // namespace

ContextBar::ContextBar(Session& session, Selection& selection, QWidget* parent)
    : QWidget(parent), m_session(session), m_selection(selection), m_range(new QCheckBox(this)),
      m_clear(new QToolButton(this)), m_note(new QLabel(this)), m_base(new BaseChooser(session, selection, this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(4);
    setUp(m_ranks, &ContextFilter::ranks);
    setUp(m_devices, &ContextFilter::devices);
    setUp(m_steps, &ContextFilter::steps);
    row->addWidget(m_range);
    m_clear->setIcon(themedIcon(u"close"_s));
    m_clear->setAutoRaise(true);
    m_clear->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(m_clear);
    row->addWidget(m_note, 1);
    row->addWidget(m_base);
    connect(m_base, &BaseChooser::changed, this, &ContextBar::refresh);
    connect(m_clear, &QToolButton::clicked, this, [this] {
        m_selection.setContext({});
        emit left();
    });
    connect(m_range, &QCheckBox::clicked, this, [this](bool checked) {
        ContextFilter context = m_selection.current().context;
        context.range = checked ? m_selection.current().range : std::nullopt;
        context.rangeCapture = context.range ? m_selection.current().capture : kNoCapture;
        m_selection.setContext(std::move(context));
        refresh();
        emit left();
    });
    connect(&selection, &Selection::changed, this, &ContextBar::refresh);
    connect(&selection, &Selection::shiftsChanged, this, &ContextBar::refresh);
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed})
        connect(&session, signal, this, &ContextBar::fillLists);
    retranslate();
    fillLists();
}

void ContextBar::setUp(Part& part, std::vector<std::int64_t> ContextFilter::*numbers) {
    part = {new QLabel(this), new QComboBox(this), numbers, false, false};
    part.label->setBuddy(part.box);
    part.box->setEditable(true);
    part.box->setInsertPolicy(QComboBox::NoInsert);
    part.box->setMinimumContentsLength(8);
    part.box->setMaxVisibleItems(20);
    layout()->addWidget(part.label);
    layout()->addWidget(part.box);
    connect(part.box, &QComboBox::activated, this, [this, &part](int index) {
        if (index == 0) part.box->setEditText({});
        take(part);
        emit left();
    });
    connect(part.box->lineEdit(), &QLineEdit::editingFinished, this, [this, &part] { take(part); });
    // The box has the focus, and hands its keys on to the line past what watches that.
    part.box->installEventFilter(this);
    part.box->lineEdit()->installEventFilter(this);
}

bool ContextBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto isOf = [watched](const Part& part) {
            return watched == part.box || watched == part.box->lineEdit();
        };
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Escape:
            for (const Part* part : {&m_ranks, &m_devices, &m_steps}) {
                if (!isOf(*part)) continue;
                part->box->setEditText(shownText(*part));
                part->box->lineEdit()->setPalette(palette());  // no longer wrong
            }
            emit left();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            for (const Part* part : {&m_ranks, &m_devices, &m_steps}) {
                if (!isOf(*part)) continue;
                take(*part);
                // Text that cannot be read is still to be mended.
                if (numbersIn(*part)) emit left();
            }
            return true;
        default: break;
        }
    }
    return QWidget::eventFilter(watched, event);
}

std::optional<std::vector<std::int64_t>> ContextBar::numbersIn(const Part& part) const {
    const QString text = part.box->currentText();
    return numbersOf(text == part.box->itemText(0) ? std::string() : text.toStdString());
}

QString ContextBar::shownText(const Part& part) const {
    const std::vector<std::int64_t>& numbers = m_selection.current().context.*part.numbers;
    return numbers.empty() ? part.box->itemText(0) : toQString(numberRanges(numbers));
}

void ContextBar::take(const Part& part) {
    const auto numbers = numbersIn(part);
    QPalette look = palette();
    if (!numbers) look.setColor(QPalette::Text, themeOf(palette()).error);
    part.box->lineEdit()->setPalette(look);
    if (!numbers) return;
    ContextFilter context = m_selection.current().context;
    context.*part.numbers = *numbers;
    m_selection.setContext(std::move(context));
    refresh();
}

void ContextBar::fillLists() {
    std::vector<std::int64_t> ranks, devices, steps;
    for (const OpenCapture& capture : m_session.captures()) {
        if (capture.store == nullptr) continue;
        for (const RankEntry& rank : capture.store->ranks) {
            if (rank.info.rankId) ranks.push_back(*rank.info.rankId);
            if (rank.info.deviceId) devices.push_back(*rank.info.deviceId);
        }
        const std::vector<std::int64_t> numbers = stepNumbers(*capture.store);
        steps.insert(steps.end(), numbers.begin(), numbers.end());
    }
    for (std::vector<std::int64_t>* numbers : {&ranks, &devices, &steps}) {
        std::sort(numbers->begin(), numbers->end());
        numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
    }
    const std::pair<Part*, const std::vector<std::int64_t>*> lists[] = {
        {&m_ranks, &ranks}, {&m_devices, &devices}, {&m_steps, &steps}};
    for (const auto& [part, numbers] : lists) {
        const QSignalBlocker blocker(part->box);
        QStringList items{tr("all")};
        for (const std::int64_t number : *numbers) {
            if (static_cast<std::size_t>(items.size()) <= kMaxListed) items << QString::number(number);
        }
        // While somebody writes, a running import must not take the text away.
        if (items.size() == part->box->count() && part->box->itemText(0) == items.front() &&
            part->box->itemText(part->box->count() - 1) == items.back())
            continue;
        part->box->clear();
        part->box->addItems(items);
        part->isThere = numbers->size() > 1;
    }
    refresh();
}

void ContextBar::refresh() {
    const ContextFilter& context = m_selection.current().context;
    for (const Part* part : {&m_ranks, &m_devices, &m_steps}) {
        const QSignalBlocker blocker(part->box);
        const std::vector<std::int64_t>& numbers = context.*part->numbers;
        const bool isShown = part->isThere && !(part->isOnThePage && numbers.empty());
        part->label->setVisible(isShown);
        part->box->setVisible(isShown);
        if (!part->box->lineEdit()->hasFocus() ||
            numbersOf(part->box->currentText().toStdString()).value_or(std::vector<std::int64_t>()) != numbers)
            part->box->setEditText(shownText(*part));
    }
    refreshRange();
    m_clear->setVisible(!context.empty());
    m_note->setText(!context.empty() && !m_follows ? tr("This page ignores the filter and shows everything.")
                                                   : QString());
    // Where there is one of each there is nothing to choose.
    setVisible(!context.empty() || !m_range->isHidden() || !m_ranks.box->isHidden() || !m_devices.box->isHidden() ||
               !m_steps.box->isHidden() || m_base->isOffered());
    m_base->setVisible(m_base->isOffered());
}

void ContextBar::refreshRange() {
    const SelectionState& state = m_selection.current();
    const std::optional<TimeRange> shown = state.context.range ? state.context.range : state.range;
    m_range->setVisible(shown.has_value());
    m_range->setChecked(state.context.range.has_value());
    if (!shown) return;
    const OpenCapture* capture = m_session.capture(state.context.range ? state.context.rangeCapture : state.capture);
    // Where clocks are moved, as the timeline's ruler counts.
    const TimeNs origin = capture == nullptr
                              ? TimeNs{}
                              : m_selection.originOf(capture->id).value_or(capture->times.origin().value_or(TimeNs{}));
    m_range->setText(tr("Only %1", "a range of time").arg(rangeText(*shown, origin)));
}

void ContextBar::setPageFollows(bool follows) {
    m_follows = follows;
    refresh();
}

void ContextBar::setPageChooses(bool ranks, bool steps) {
    if (m_ranks.isOnThePage == ranks && m_steps.isOnThePage == steps) return;
    m_ranks.isOnThePage = ranks;
    m_steps.isOnThePage = steps;
    refresh();
}

void ContextBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        fillLists();
    }
    QWidget::changeEvent(event);
}

void ContextBar::retranslate() {
    m_ranks.label->setText(tr("Rank"));
    m_devices.label->setText(tr("NPU"));
    m_steps.label->setText(tr("Step"));
    m_clear->setText(tr("Show everything"));
    m_range->setToolTip(tr("Steps, peaks and findings within the marked time only"));
    for (const Part* part : {&m_ranks, &m_devices, &m_steps}) {
        part->box->setAccessibleName(part->label->text());
        part->box->setToolTip(tr("Filter of all pages: all, one, or ranges such as 0-3, 8"));
    }
}

}  // namespace altiscope
