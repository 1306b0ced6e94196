#include "views/common/tables/filter_bar.h"

#include "core/base/text/catalogue.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QEvent>
#include <QHBoxLayout>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStringListModel>
#include <QTextCharFormat>
#include <QTimer>
#include <QToolButton>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// Time without a key after which the filter is taken.
constexpr int kPauseMs = 250;

/// Characters of a text that its first bytes make.
qsizetype charactersOf(const QString& text, std::size_t bytes) {
    return QString::fromUtf8(
               text.toUtf8().first(std::min<qsizetype>(static_cast<qsizetype>(bytes), text.toUtf8().size())))
        .size();
}

}  // namespace

FilterBar::FilterBar(JobRunner& jobs, QWidget* parent)
    : QWidget(parent), m_completing(jobs), m_chipRow(new QHBoxLayout), m_line(new QLineEdit(this)),
      m_problem(new QLabel(this)), m_completer(new QCompleter(this)), m_words(new QStringListModel(this)),
      m_pause(new QTimer(this)) {
    auto* column = barLayout<QVBoxLayout>(this, 4);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addLayout(m_chipRow);
    row->addWidget(m_line, 1);
    column->addLayout(row);
    column->addWidget(m_problem);
    m_chipRow->setSpacing(4);
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_line->setClearButtonEnabled(true);
    m_line->addAction(themedIcon(u"search"_s, IconTone::Muted), QLineEdit::LeadingPosition);
    m_line->installEventFilter(this);
    m_completer->setModel(m_words);
    m_completer->setWidget(m_line);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_pause->setSingleShot(true);
    m_pause->setInterval(kPauseMs);
    connect(m_pause, &QTimer::timeout, this, &FilterBar::announce);
    connect(m_line, &QLineEdit::textChanged, this, [this] { m_pause->start(); });
    connect(m_line, &QLineEdit::textEdited, this, &FilterBar::complete);
    connect(m_line, &QLineEdit::returnPressed, this, [this] {
        announce();
        // Else it chooses a word.
        const QAbstractItemView& popup = *m_completer->popup();
        if (!popup.isVisible() || !popup.currentIndex().isValid()) emit left();
    });
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &FilterBar::insertCompletion);
    retranslate();
}

QString FilterBar::filter() const {
    const QString line = m_line->text().trimmed();
    if (m_chips.isEmpty()) return line;
    const QString chips = m_chips.join(u" and "_s);
    return line.isEmpty() ? chips : chips + u" and ("_s + line + u')';
}

void FilterBar::setText(const QString& text) {
    m_line->setText(text);
    announce();
}

void FilterBar::setExample(const QString& filter) {
    m_example = filter;
    retranslate();
}

void FilterBar::announce() {
    m_pause->stop();
    emit filterChanged(filter());
}

void FilterBar::addChip(const QString& condition) {
    if (m_chips.contains(condition)) return;
    m_chips << condition;
    rebuildChips();
    announce();
}

void FilterBar::clear() {
    if (m_chips.isEmpty() && m_line->text().isEmpty()) return;
    m_chips.clear();
    rebuildChips();
    setText({});
}

void FilterBar::removeChip(const QString& condition) {
    m_chips.removeAll(condition);
    rebuildChips();
    m_line->setFocus();
    announce();
}

void FilterBar::rebuildChips() {
    while (QLayoutItem* item = m_chipRow->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const QString& chip : std::as_const(m_chips)) {
        auto* button = new QToolButton(this);
        const QString shown = fontMetrics().elidedText(chip, Qt::ElideMiddle, fontMetrics().averageCharWidth() * 30);
        button->setText(QString(shown).replace(u'&', u"&&"_s));
        button->setIcon(themedIcon(u"close"_s, IconTone::Muted));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setToolTip(tr("Remove: %1").arg(chip));
        connect(button, &QToolButton::clicked, this, [this, chip] { removeChip(chip); });
        m_chipRow->addWidget(button);
    }
}

void FilterBar::showProblem(const std::optional<FilterProblem>& problem) {
    m_problem->setVisible(problem.has_value());
    QList<QInputMethodEvent::Attribute> marks;
    if (problem) {
        m_problem->setText(
            withUnbrokenUnits(toQString(catalogueText(problem->code, catalogueLanguage(), problem->parameters))));
        QPalette red = m_problem->palette();
        // On the ground of a table a label takes Text.
        for (const auto role : {QPalette::WindowText, QPalette::Text}) red.setColor(role, themeOf(palette()).error);
        m_problem->setPalette(red);
        // The line's text stands after the chips, in parentheses.
        const QString whole = filter(), line = m_line->text().trimmed();
        const qsizetype shift = m_chips.isEmpty() ? 0 : whole.size() - line.size() - 1;
        const qsizetype begin = charactersOf(whole, problem->begin) - shift,
                        end = charactersOf(whole, problem->end) - shift;
        QTextCharFormat underline;
        underline.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        underline.setUnderlineColor(themeOf(palette()).error);
        if (begin >= 0 && end <= m_line->text().size() && begin < end)
            marks << QInputMethodEvent::Attribute(QInputMethodEvent::TextFormat,
                                                  static_cast<int>(begin - m_line->cursorPosition()),
                                                  static_cast<int>(end - begin), underline);
    }
    // The only way to format parts of a line edit.
    QInputMethodEvent event(QString(), marks);
    QCoreApplication::sendEvent(m_line, &event);
}

void FilterBar::complete() {
    if (!m_source) return;
    const QString text = m_line->text();
    const auto cursor = static_cast<std::size_t>(text.first(m_line->cursorPosition()).toUtf8().size());
    m_completing.start([source = m_source, line = text.toStdString(),
                        cursor](const CancelToken& token) { return completeFilter(line, cursor, *source, token); },
                       [this, text](FilterCompletion completion) {
                           if (m_line->text() != text || !m_line->hasFocus()) return;
                           m_completion = std::move(completion);
                           QStringList words;
                           for (const std::string& word : m_completion.words) words << toQString(word);
                           m_words->setStringList(words);
                           const bool typed = m_completion.begin < m_completion.end;
                           const bool done =
                               words.size() == 1 &&
                               words.front() ==
                                   toQString(std::string_view(text.toStdString())
                                                 .substr(m_completion.begin, m_completion.end - m_completion.begin));
                           if (words.isEmpty() || done || (!typed && text.isEmpty()))
                               return m_completer->popup()->hide();
                           showCompletions();
                       });
}

void FilterBar::showCompletions() {
    // Below the message, which says what is wrong with what was typed.
    QRect place = m_line->rect();
    if (m_problem->isVisible()) place.setBottom(m_problem->geometry().bottom() + 1 - m_line->geometry().top());
    m_completer->complete(place);
    // The list makes its first word the current one: Enter would take that instead of the filter as it is written.
    m_completer->popup()->setCurrentIndex({});
}

void FilterBar::insertCompletion(const QString& word) {
    const QString text = m_line->text();
    const qsizetype begin = charactersOf(text, m_completion.begin), end = charactersOf(text, m_completion.end);
    m_line->setText(text.first(begin) + word + u' ' + text.sliced(end));
    m_line->setCursorPosition(static_cast<int>(begin + word.size() + 1));
    complete();
}

// Keys of Filters of tables:
// - `Down`, `Ctrl+Space`: Complete the word
// - `Esc`: Leave the filter
bool FilterBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Down ||
            (key->key() == Qt::Key_Space && (key->modifiers() & Qt::ControlModifier) != 0)) {
            complete();
            return true;
        }
        if (key->key() == Qt::Key_Escape && !m_completer->popup()->isVisible()) {
            emit left();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void FilterBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // The message has come, or gone; it gets its place after this.
    QTimer::singleShot(0, this, [this] {
        if (m_completer->popup()->isVisible()) showCompletions();
    });
}

void FilterBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        rebuildChips();
        announce();
    }
    QWidget::changeEvent(event);
}

void FilterBar::retranslate() {
    m_line->setPlaceholderText(m_example.isEmpty() ? tr("Filter") : tr("Filter: %1").arg(m_example));
    m_line->setAccessibleName(tr("Filter"));
    m_line->setToolTip(tr(
        "Compare columns with = != < <= > >=, ~ (regular expression), in (a, b), = none; join with and, or, "
        "not.\nUnits: ns us ms s min h, B kB MB GB TB (powers of ten), KiB MiB GiB TiB (of two), %. Other words, and "
        "texts in quotes, are looked for in all columns of text.\nDown or Ctrl+Space shows completions, Enter leads to "
        "the "
        "rows."));
}

}  // namespace altiscope
