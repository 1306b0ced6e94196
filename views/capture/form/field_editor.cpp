#include "views/capture/form/field_editor.h"

#include "views/common/support/formatters.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;
using capture::FieldType;

/// Stands in a form that scrolls: the wheel is for the form.
class QuietBox : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

QStringList wordsOf(const capture::Field& field) { return toQString(field.choices).split(u' ', Qt::SkipEmptyParts); }

/// So many short words stand beside each other.
constexpr int kWordColumns = 3;
constexpr qsizetype kShortWord = 8;
/// As configurations have it; people see that nothing is set.
const QString kNull = u"null"_s;

}  // namespace

FieldEditor::FieldEditor(const capture::Field& field, QWidget* parent) : QWidget(parent), m_field(field) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    if (field.type == FieldType::Bool) {
        m_flag = new QCheckBox(this);
        column->addWidget(m_flag);
        connect(m_flag, &QCheckBox::toggled, this, [this] { emit edited(text()); });
    } else if (field.type == FieldType::Choice) {
        m_choice = new QuietBox(this);
        m_choice->addItems(wordsOf(field));
        if (field.nullable) m_choice->addItem(QString(), kNull);
        m_choice->setMinimumContentsLength(8);
        m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        column->addWidget(m_choice);
        connect(m_choice, &QComboBox::activated, this, [this] { emit edited(text()); });
    } else if (field.type == FieldType::ChoiceList) {
        setUpWords();
    } else {
        m_line = new QLineEdit(this);
        m_line->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
        column->addWidget(m_line);
        connect(m_line, &QLineEdit::textEdited, this, [this] { emit edited(text()); });
    }
    setFocusProxy(input());
    retranslate();
    for (QWidget* widget : findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        const auto* word = qobject_cast<QCheckBox*>(widget);
        const QString name = toQString(field.name);
        widget->setAccessibleName(word == nullptr || word->text().isEmpty() ? name : name + u' ' + word->text());
    }
}

void FieldEditor::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void FieldEditor::retranslate() {
    if (!m_field.nullable) return;
    if (m_line != nullptr) m_line->setPlaceholderText(tr("not set"));
    if (m_choice != nullptr) m_choice->setItemText(m_choice->findData(kNull), tr("not set"));
}

void FieldEditor::setUpWords() {
    auto* grid = new QGridLayout;
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(0);
    const QStringList words = wordsOf(m_field);
    const bool areShort =
        std::all_of(words.begin(), words.end(), [](const QString& word) { return word.size() <= kShortWord; });
    const int columns = areShort ? kWordColumns : 1;
    for (const QString& word : words) {
        auto* box = new QCheckBox(word, this);
        const int place = static_cast<int>(m_words.size());
        grid->addWidget(box, place / columns, place % columns);
        connect(box, &QCheckBox::toggled, this, [this] { emit edited(text()); });
        m_words.push_back(box);
    }
    grid->setColumnStretch(columns, 1);
    static_cast<QVBoxLayout*>(layout())->addLayout(grid);
}

QWidget* FieldEditor::input() const {
    if (m_flag != nullptr) return m_flag;
    if (m_choice != nullptr) return m_choice;
    if (m_line != nullptr) return m_line;
    return m_words.empty() ? nullptr : m_words.front();
}

QString FieldEditor::joinedWords() const {
    QStringList chosen;
    for (const QCheckBox* box : m_words) {
        if (box->isChecked()) chosen << box->text();
    }
    return chosen.join(u',');
}

QString FieldEditor::text() const {
    if (m_flag != nullptr) return m_flag->isChecked() ? u"true"_s : u"false"_s;
    if (m_choice != nullptr) {
        const QVariant value = m_choice->currentData();
        return value.isValid() ? value.toString() : m_choice->currentText();
    }
    if (m_line == nullptr) return joinedWords();
    return m_field.nullable && m_line->text().isEmpty() ? kNull : m_line->text();
}

void FieldEditor::showText(const QString& text) {
    if (m_flag != nullptr) {
        const QSignalBlocker quiet(m_flag);
        m_flag->setChecked(text == "true"_L1);
    } else if (m_choice != nullptr) {
        const QSignalBlocker quiet(m_choice);
        if (const int null = m_choice->findData(text); null >= 0) return m_choice->setCurrentIndex(null);
        // The value in a file may be none of the words; it is shown, and the message says what is wrong.
        if (m_choice->findText(text) < 0) m_choice->addItem(text);
        m_choice->setCurrentIndex(m_choice->findText(text));
    } else if (m_line != nullptr) {
        const QString shown = m_field.nullable && text == kNull ? QString() : text;
        if (m_line->text() != shown) m_line->setText(shown);
    } else {
        QStringList chosen = text.split(u',');
        for (QString& word : chosen) word = word.trimmed();
        for (QCheckBox* box : m_words) {
            const QSignalBlocker quiet(box);
            box->setChecked(chosen.contains(box->text()));
        }
    }
}

}  // namespace altiscope
