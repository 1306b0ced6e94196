#include "views/sql/editor/parameter_bar.h"

#include "views/common/support/formatters.h"
#include "views/common/support/text_font.h"

#include <QEvent>
#include <QFontMetrics>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Parameters beyond are NULL, as in SQLite; nobody fills in more.
constexpr qsizetype kMaxFields = 64;
/// Fields beside each other, and rows of them before the bar scrolls.
constexpr int kColumns = 4, kRowsInSight = 3;
/// Max letters of a name; the tooltip has all of it.
constexpr int kNameLetters = 24;
constexpr int kFieldLetters = 14;
/// Value of an empty field; a word of SQL.
const QString kNothing = u"NULL"_s;

}  // namespace

ParameterBar::ParameterBar(QWidget* parent)
    : Translated(parent), m_fields(new QWidget(this)), m_grid(new QGridLayout(m_fields)) {
    m_grid->setContentsMargins(8, 4, 8, 4);
    m_grid->setHorizontalSpacing(4);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(2 * kColumns, 1);
    setWidget(m_fields);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
}

void ParameterBar::setNames(const QStringList& names, const QHash<QString, QString>& values) {
    const QStringList shown = names.first(std::min(names.size(), kMaxFields));
    if (shown == m_names) return;
    const QHash<QString, QString> before = this->values();
    for (QWidget* part : m_parts) part->deleteLater();
    m_parts.clear();
    m_names = shown;
    for (const QString& name : shown) {
        const int at = static_cast<int>(m_parts.size() / 2);
        auto* label = new QLabel(m_fields);
        auto* field = new QLineEdit(m_fields);
        followTextSize(*label, monospaceFont);
        label->setTextFormat(Qt::PlainText);
        label->setText(
            QFontMetrics(label->font())
                .elidedText(name, Qt::ElideMiddle, QFontMetrics(label->font()).averageCharWidth() * kNameLetters));
        label->setToolTip(name);
        label->setBuddy(field);
        field->setText(before.contains(name) ? before[name] : values.value(name));
        field->setFixedWidth(fontMetrics().averageCharWidth() * kFieldLetters);
        connect(field, &QLineEdit::returnPressed, this, &ParameterBar::runRequested);
        connect(field, &QLineEdit::textEdited, this, &ParameterBar::valuesChanged);
        m_grid->addWidget(label, at / kColumns, 2 * (at % kColumns));
        m_grid->addWidget(field, at / kColumns, 2 * (at % kColumns) + 1);
        m_parts.insert(m_parts.end(), {label, field});
    }
    const int rows = (static_cast<int>(shown.size()) + kColumns - 1) / kColumns;
    const int rowHeight = m_parts.empty() ? 0 : m_parts[1]->sizeHint().height() + m_grid->verticalSpacing();
    setFixedHeight(rowHeight * std::min(rows, kRowsInSight) + 8);
    setVisible(!shown.isEmpty());
    retranslate();
}

QLineEdit* ParameterBar::field(const QString& name) const {
    const qsizetype at = m_names.indexOf(name);
    return at < 0 ? nullptr : static_cast<QLineEdit*>(m_parts[static_cast<std::size_t>(2 * at + 1)]);
}

QHash<QString, QString> ParameterBar::values() const {
    QHash<QString, QString> values;
    for (const QString& name : m_names) values.insert(name, field(name)->text());
    return values;
}

void ParameterBar::retranslate() {
    for (const QString& name : std::as_const(m_names)) {
        field(name)->setPlaceholderText(kNothing);
        field(name)->setAccessibleName(tr("Value of %1").arg(name));
        field(name)->setToolTip(tr("Value of %1 in the statement: a number, or a text ('12' in quotes is one too). "
                                   "Empty is NULL. Enter runs the statement.")
                                    .arg(name));
    }
}

}  // namespace altiscope
