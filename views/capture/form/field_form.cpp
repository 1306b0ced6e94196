#include "views/capture/form/field_form.h"

#include "views/capture/form/field_editor.h"
#include "views/capture/support/method_texts.h"
#include "views/capture/support/tone_label.h"
#include "views/common/support/formatters.h"
#include "views/common/support/text_font.h"
#include "views/common/theme/icons.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

enum FormColumn { Name, Editor, Hint, Back };

}  // namespace

FieldForm::FieldForm(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(8, 4, 8, 8);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(Editor, 1);
}

void FieldForm::build(const capture::Settings& settings) {
    for (Row& row : m_rows) {
        for (QWidget* widget :
             {static_cast<QWidget*>(row.name), static_cast<QWidget*>(row.editor), static_cast<QWidget*>(row.hint),
              static_cast<QWidget*>(row.back), static_cast<QWidget*>(row.message)}) {
            // One of them may be sending the signal that led here.
            widget->hide();
            m_grid->removeWidget(widget);
            widget->deleteLater();
        }
    }
    m_rows.clear();
    for (const capture::Setting& setting : settings.all()) addRow(*setting.field);
    m_grid->setRowStretch(static_cast<int>(m_rows.size()) * 2, 1);
    // They were made later than the widgets that follow them in the order of the Tab key.
    QWidget* last = m_before;
    const auto add = [&last](QWidget* next) {
        if (last != nullptr) setTabOrder(last, next);
        last = next;
    };
    for (const Row& row : m_rows) {
        for (QWidget* input : row.editor->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) add(input);
        add(row.back);
    }
    retranslate();
}

void FieldForm::addRow(const capture::Field& field) {
    Row row;
    row.field = &field;
    row.name = new QLabel(toQString(field.name), this);
    row.editor = new FieldEditor(field, this);
    row.name->setBuddy(row.editor);
    row.hint = new ToneLabel(IconTone::Muted, this);
    row.hint->setWordWrap(false);
    row.back = new QToolButton(this);
    row.back->setIcon(themedIcon(u"undo"_s));
    row.back->setAutoRaise(true);
    row.message = new ToneLabel(IconTone::Muted, this);
    const int line = static_cast<int>(m_rows.size()) * 2;
    m_grid->setRowStretch(line, 0);
    m_grid->addWidget(row.name, line, Name, Qt::AlignLeft | Qt::AlignVCenter);
    // Without a hint there is room for more words beside each other.
    m_grid->addWidget(row.editor, line, Editor, 1, fieldHint(field).isEmpty() ? 2 : 1);
    m_grid->addWidget(row.hint, line, Hint, Qt::AlignLeft | Qt::AlignVCenter);
    m_grid->addWidget(row.back, line, Back);
    m_grid->addWidget(row.message, line + 1, Editor, 1, 3);
    const QString name = toQString(field.name);
    connect(row.editor, &FieldEditor::edited, this, [this, name](const QString& text) { emit edited(name, text); });
    connect(row.back, &QToolButton::clicked, this, [this, name] { emit takenBack(name); });
    m_rows.push_back(row);
}

void FieldForm::showRows(const capture::Settings& settings, const std::vector<RowState>& rows) {
    const auto all = settings.all();
    const bool same =
        std::equal(all.begin(), all.end(), m_rows.begin(), m_rows.end(),
                   [](const capture::Setting& setting, const Row& row) { return setting.field == row.field; });
    if (!same) build(settings);
    for (std::size_t i = 0; i < m_rows.size(); ++i) showRow(m_rows[i], rows[i]);
}

void FieldForm::showRow(Row& row, const RowState& state) {
    row.editor->showText(toQString(state.text));
    row.editor->setEnabled(!state.isLocked);
    row.name->setEnabled(state.applies || state.isEdited);
    row.message->setText(toQString(state.message));
    row.message->setTone(state.kind == RowState::Kind::Error     ? IconTone::Error
                         : state.kind == RowState::Kind::Warning ? IconTone::Warning
                                                                 : IconTone::Muted);
    row.isEdited = state.isEdited;
    followTextSize(*row.name, [isBold = state.isEdited](const QFont& body) { return isBold ? boldFont(body) : body; });
    applyFilter(row);
}

void FieldForm::setFilter(const QString& text) {
    m_filter = text;
    for (Row& row : m_rows) applyFilter(row);
}

void FieldForm::applyFilter(Row& row) {
    const bool shown = m_filter.isEmpty() || toQString(row.field->name).contains(m_filter, Qt::CaseInsensitive);
    row.name->setVisible(shown);
    row.editor->setVisible(shown);
    row.hint->setVisible(shown);
    // It comes and goes with the edit; the line keeps its width. A line that is not shown has no height either.
    QSizePolicy policy = row.back->sizePolicy();
    policy.setRetainSizeWhenHidden(shown);
    row.back->setSizePolicy(policy);
    row.back->setVisible(shown && row.isEdited);
    row.message->setVisible(shown && !row.message->text().isEmpty());
}

FieldEditor* FieldForm::editor(std::string_view field) const {
    for (const Row& row : m_rows) {
        if (row.field->name == field) return row.editor;
    }
    return nullptr;
}

QString FieldForm::message(std::string_view field) const {
    for (const Row& row : m_rows) {
        if (row.field->name == field) return row.message->text();
    }
    return {};
}

void FieldForm::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void FieldForm::retranslate() {
    for (Row& row : m_rows) {
        row.hint->setText(fieldHint(*row.field));
        const QString tip = fieldTip(*row.field);
        row.name->setToolTip(tip);
        row.editor->setToolTip(tip);
        row.back->setToolTip(tr("Undo the change"));
        row.back->setAccessibleName(tr("Undo the change of %1").arg(toQString(row.field->name)));
    }
}

}  // namespace altiscope
