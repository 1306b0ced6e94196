#include "views/sql/parameter_bar.h"

#include "views/common/support/formatters.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// More fields would not fit; parameters without one are NULL, as in SQLite.
constexpr qsizetype kMostFields = 8;
constexpr int kFieldLetters = 14;
/// What an empty field stands for; a word of SQL.
const QString kNothing = u"NULL"_s;

}  // namespace

ParameterBar::ParameterBar(QWidget* parent) : QWidget(parent), m_row(new QHBoxLayout(this)) {
    m_row->setContentsMargins(8, 4, 8, 4);
    m_row->setSpacing(4);
    m_row->addStretch(1);
    hide();
}

void ParameterBar::setNames(const QStringList& names, const QHash<QString, QString>& values) {
    const QStringList shown = names.first(std::min(names.size(), kMostFields));
    if (shown == m_names) return;
    const QHash<QString, QString> before = this->values();
    for (QWidget* part : m_parts) part->deleteLater();
    m_parts.clear();
    m_names = shown;
    for (const QString& name : shown) {
        auto* label = new QLabel(name, this);
        auto* field = new QLineEdit(this);
        label->setFont(monospaceFont(font()));
        label->setBuddy(field);
        field->setText(before.contains(name) ? before[name] : values.value(name));
        field->setFixedWidth(fontMetrics().averageCharWidth() * kFieldLetters);
        connect(field, &QLineEdit::returnPressed, this, &ParameterBar::runRequested);
        connect(field, &QLineEdit::textEdited, this, &ParameterBar::valuesChanged);
        for (QWidget* part : {static_cast<QWidget*>(label), static_cast<QWidget*>(field)}) {
            m_row->insertWidget(m_row->count() - 1, part);
            m_parts.push_back(part);
        }
    }
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

void ParameterBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void ParameterBar::retranslate() {
    for (const QString& name : std::as_const(m_names)) {
        field(name)->setPlaceholderText(kNothing);
        field(name)->setAccessibleName(tr("Value of %1").arg(name));
        field(name)->setToolTip(tr("Value of %1 in the statement: a number, or a text ('12' in quotes is one too). "
                                   "Empty is NULL. Return runs the statement.")
                                    .arg(name));
    }
}

}  // namespace altiscope
