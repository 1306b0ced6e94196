#include "views/capture/form/preview_panel.h"

#include "views/capture/support/tone_label.h"
#include "views/common/support/formatters.h"
#include "views/common/support/save_dialog.h"
#include "views/common/support/text_font.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QSyntaxHighlighter>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

/// Lines that come and go, by the first character of a diff's line as well as by colour.
class DiffColours : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

    void setUsed(bool used) {
        if (std::exchange(m_isUsed, used) != used) rehighlight();
    }

protected:
    void highlightBlock(const QString& line) override {
        if (!m_isUsed) return;
        const Theme& theme = themeOf(QApplication::palette());
        if (line.startsWith("@@"_L1) || line.startsWith("---"_L1) || line.startsWith("+++"_L1))
            setFormat(0, static_cast<int>(line.size()), theme.muted);
        else if (line.startsWith(u'+')) setFormat(0, static_cast<int>(line.size()), theme.ok);
        else if (line.startsWith(u'-')) setFormat(0, static_cast<int>(line.size()), theme.error);
    }

private:
    bool m_isUsed = false;
};

namespace {

QToolButton* makeButton(const QString& icon, QWidget* parent) {
    auto* button = new QToolButton(parent);
    if (!icon.isEmpty()) button->setIcon(themedIcon(icon));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

}  // namespace

PreviewPanel::PreviewPanel(QWidget* parent)
    : QWidget(parent), m_title(new QLabel(this)), m_note(new ToneLabel(IconTone::Muted, this)),
      m_text(new QPlainTextEdit(this)), m_colours(new DiffColours(m_text->document())),
      m_copy(makeButton(u"copy"_s, this)), m_save(makeButton({}, this)), m_byHand(makeButton({}, this)),
      m_read(makeButton(u"reload"_s, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(4);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_title->setBuddy(m_text);
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    followTextSize(*m_text, monospaceFont);
    m_text->setMinimumHeight(fontMetrics().height() * 3);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QToolButton* button : {m_copy, m_save, m_byHand}) buttons->addWidget(button);
    buttons->addStretch(1);
    column->addWidget(m_title);
    column->addWidget(m_note);
    column->addWidget(m_read, 0, Qt::AlignLeft);
    column->addWidget(m_text, 1);
    column->addLayout(buttons);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(text()); });
    connect(m_save, &QToolButton::clicked, this, &PreviewPanel::save);
    connect(m_byHand, &QToolButton::clicked, this, &PreviewPanel::byHandRequested);
    connect(m_read, &QToolButton::clicked, this, &PreviewPanel::readingRequested);
    showNote({}, false);
    offerReading({});
    retranslate();
}

void PreviewPanel::showText(Form form, const QString& title, const QString& text, const QString& file,
                            const QString& name) {
    m_title->setText(title);
    m_colours->setUsed(form == Form::Change);
    m_text->setLineWrapMode(form == Form::Text ? QPlainTextEdit::NoWrap : QPlainTextEdit::WidgetWidth);
    if (m_text->toPlainText() != text) m_text->setPlainText(text);
    m_file = file;
    m_name = name;
    m_copy->setEnabled(!text.isEmpty());
    m_save->setEnabled(!text.isEmpty() || !file.isEmpty());
    m_byHand->setEnabled(!text.isEmpty());
}

void PreviewPanel::showNote(const QString& note, bool isProblem) {
    m_note->setTone(isProblem ? IconTone::Error : IconTone::Muted);
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void PreviewPanel::offerReading(const QString& target) {
    m_target = target;
    m_read->setText(tr("Read the file on %1").arg(target));
    m_read->setVisible(!target.isEmpty());
}

QString PreviewPanel::text() const { return m_text->toPlainText(); }

void PreviewPanel::save() {
    const QString file = chooseSaveFile(this, tr("Save the configuration"), m_name, tr("All files (*)"));
    if (!file.isEmpty()) emit saveRequested(file, m_file.isEmpty() ? text() : m_file);
}

void PreviewPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    // Colours of the lines are those of the theme.
    if (event->type() == QEvent::PaletteChange) m_colours->rehighlight();
    QWidget::changeEvent(event);
}

void PreviewPanel::retranslate() {
    m_text->setAccessibleName(tr("Preview"));
    offerReading(m_target);
    m_copy->setText(tr("&Copy"));
    m_save->setText(tr("S&ave…"));
    m_save->setToolTip(tr("Writes the whole configuration to a file of yours"));
    m_byHand->setText(tr("Run &manually"));
    m_byHand->setToolTip(
        tr("For machines that cannot be reached from here: what to do, and where to open the results"));
}

}  // namespace altiscope
