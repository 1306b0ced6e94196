#include "views/timeline/panels/find_bar.h"

#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"
#include "views/timeline/panels/go_to.h"
#include "views/timeline/scene/find_controller.h"

#include <QAction>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

std::optional<std::int64_t> readLength(const QString& text) {
    const auto read = readGoTo(text, TimeNs{0}, DurationNs{0});
    if (!read || !std::holds_alternative<TimeNs>(*read)) return std::nullopt;
    return std::get<TimeNs>(*read).value;
}

}  // namespace

bool readLengths(const QString& text, SliceQuery& query) {
    const QString written = text.trimmed();
    if (written.isEmpty()) return true;
    const qsizetype dots = written.indexOf(u".."_s);
    const QString from = dots < 0 ? written : written.first(dots).trimmed(),
                  to = dots < 0 ? QString() : written.sliced(dots + 2).trimmed();
    if (!from.isEmpty()) query.shortest = readLength(from);
    if (!to.isEmpty()) query.longest = readLength(to);
    return (from.isEmpty() || query.shortest) && (to.isEmpty() || query.longest) && !(from.isEmpty() && to.isEmpty());
}

FindBar::FindBar(FindController& search, QWidget* parent)
    : Translated(parent), m_search(search), m_text(new QLineEdit(this)), m_lengths(new QLineEdit(this)),
      m_case(new QToolButton(this)), m_words(new QToolButton(this)), m_regex(new QToolButton(this)),
      m_where(new QToolButton(this)), m_onlySelected(new QCheckBox(this)), m_count(new QLabel(this)),
      m_back(new QToolButton(this)), m_on(new QToolButton(this)), m_list(new QToolButton(this)),
      m_close(new QToolButton(this)) {
    auto* row = barLayout<QHBoxLayout>(this, 4);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_text->addAction(themedIcon(u"search"_s, IconTone::Muted), QLineEdit::LeadingPosition);
    m_text->setClearButtonEnabled(true);
    m_text->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
    m_regex->setText(u".*"_s);
    for (QToolButton* option : {m_case, m_words, m_regex}) {
        option->setCheckable(true);
        option->setAutoRaise(true);
        connect(option, &QToolButton::toggled, this, &FindBar::requestHits);
    }
    auto* places = new QMenu(m_where);
    for (QAction*& place : m_places) {
        place = places->addAction(QString());
        place->setCheckable(true);
        connect(place, &QAction::toggled, this, &FindBar::requestHits);
    }
    m_places[0]->setChecked(true);
    m_where->setMenu(places);
    m_where->setPopupMode(QToolButton::InstantPopup);
    m_where->setAutoRaise(true);
    m_back->setIcon(themedIcon(u"left"_s, IconTone::Muted));
    m_on->setIcon(themedIcon(u"right"_s, IconTone::Muted));
    m_close->setIcon(themedIcon(u"close"_s, IconTone::Muted));
    for (QToolButton* button : {m_back, m_on, m_list, m_close}) button->setAutoRaise(true);
    row->addWidget(m_text, 2);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_case, m_words, m_regex, m_where, m_lengths, m_onlySelected,
                                                           m_count, m_back, m_on, m_list})
        row->addWidget(widget);
    row->setStretchFactor(m_lengths, 2);
    row->addStretch(1);
    row->addWidget(m_close);
    setFocusProxy(m_text);
    connect(m_text, &QLineEdit::textChanged, this, &FindBar::requestHits);
    connect(m_lengths, &QLineEdit::textChanged, this, &FindBar::requestHits);
    connect(m_onlySelected, &QCheckBox::toggled, this, &FindBar::requestHits);
    connect(m_back, &QToolButton::clicked, this, [this] { m_search.step(false); });
    connect(m_on, &QToolButton::clicked, this, [this] { m_search.step(true); });
    connect(m_list, &QToolButton::clicked, this, &FindBar::listRequested);
    connect(m_close, &QToolButton::clicked, this, &FindBar::close);
    connect(&search, &FindController::changed, this, &FindBar::showResult);
    retranslate();
    hide();
}

void FindBar::open() {
    show();
    m_text->setFocus();
    m_text->selectAll();
    requestHits();
}

void FindBar::find(const QString& name) {
    for (QToolButton* option : {m_case, m_words, m_regex}) option->setChecked(false);
    m_onlySelected->setChecked(false);
    m_lengths->clear();
    m_places[0]->setChecked(true);
    m_text->setText(name);
    open();
    m_search.step(true);
}

void FindBar::close() {
    hide();
    m_search.request(std::nullopt, false);
    emit closed();
}

void FindBar::leave() {
    if (m_search.active()) emit left();
    else close();
}

// Keys of Timeline, search:
// - `Enter`, `Shift+Enter`: Next and previous slice that was found
// - `Esc`: Leave the search
void FindBar::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: return m_search.step(!(event->modifiers() & Qt::ShiftModifier));
    case Qt::Key_Escape: return leave();
    default: QWidget::keyPressEvent(event);
    }
}

void FindBar::requestHits() {
    if (!isVisible()) return;
    SliceQuery query{.text = m_text->text().toStdString(),
                     .isRegex = m_regex->isChecked(),
                     .wholeWords = m_words->isChecked(),
                     .matchCase = m_case->isChecked(),
                     .inNames = m_places[0]->isChecked(),
                     .inTracks = m_places[1]->isChecked(),
                     .inShapes = m_places[2]->isChecked(),
                     .inArguments = m_places[3]->isChecked()};
    m_lengthsWrong = !readLengths(m_lengths->text(), query);
    const bool isEmpty = query.text.empty() && !query.shortest && !query.longest;
    m_search.request(isEmpty || m_lengthsWrong ? std::nullopt : std::optional(query), m_onlySelected->isChecked());
    showResult();
}

void FindBar::showResult() {
    const SearchResult& result = m_search.result();
    QString text;
    bool wrong = false;
    if (m_lengthsWrong) {
        text = tr("Write a duration as 100us, 100us..2ms or ..5ms");
        wrong = true;
    } else if (!m_search.active()) {
        text = QString();
    } else if (result.problem) {
        text = errorSentence(*result.problem);
        wrong = true;
    } else if (!result.hits) {
        text = tr("%1 so far").arg(formatCount(result.count));
    } else if (result.count == 0) {
        text = tr("Nothing found");
    } else if (const auto place = m_search.place()) {
        text = tr("%1 of %2").arg(formatCount(*place + 1), formatCount(result.count));
    } else {
        text = tr("%1 found").arg(formatCount(result.count));
    }
    if (result.hits && result.hits->tooCostly > 0)
        text += u" · "_s + tr("matching this pattern takes too long for some texts");
    if (result.hits && result.hits->unread > 0)
        text += u" · "_s + tr("the arguments of %1 slices could not be read").arg(formatCount(result.hits->unread));
    QPalette colours = palette();
    if (wrong) colours.setColor(QPalette::WindowText, themeOf(palette()).error);
    m_count->setPalette(colours);
    m_count->setText(text);
    for (QToolButton* button : {m_back, m_on, m_list}) button->setEnabled(result.hits && result.count > 0);
}

void FindBar::retranslate() {
    m_text->setPlaceholderText(tr("Find slices"));
    m_text->setAccessibleName(tr("Find slices"));
    m_lengths->setPlaceholderText(tr("Duration: 100us..2ms"));
    // The example is all that says what can be written there; where there is no room, the panels beside are worth more.
    m_lengths->setMaximumWidth(fontMetrics().horizontalAdvance(m_lengths->placeholderText()) +
                               fontMetrics().averageCharWidth() * 5);
    m_lengths->setAccessibleName(tr("Duration of the slices"));
    const auto name = [](QToolButton* button, const QString& text) {
        button->setToolTip(text);
        button->setAccessibleName(text);
    };
    name(m_case, tr("Match case"));
    name(m_words, tr("Whole words"));
    name(m_regex, tr("Regular expression (Perl)"));
    name(m_back, tr("Previous (Shift+Enter)"));
    name(m_on, tr("Next (Enter)"));
    name(m_close, tr("End the search (Esc, twice)"));
    m_case->setText(tr("Aa"));
    m_words->setText(tr("“ab”"));
    m_where->setText(tr("Where"));
    m_places[0]->setText(tr("In &names"));
    m_places[1]->setText(tr("In names of &tracks"));
    m_places[2]->setText(tr("In &shapes"));
    m_places[3]->setText(tr("In &arguments (reads the source)"));
    m_onlySelected->setText(tr("Only in the selection"));
    m_onlySelected->setToolTip(tr("In the chosen tracks and the marked time alone."));
    m_list->setText(tr("List"));
    showResult();
}

}  // namespace altiscope
