#include "views/common/widgets/key_editor.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

KeyEditor::KeyEditor(KeyBindings& bindings, std::function<QString()> name, QWidget* parent)
    : QWidget(parent), m_bindings(bindings), m_name(std::move(name)), m_filter(new QLineEdit(this)),
      m_table(new QTableWidget(0, 2, this)), m_prompt(new QLabel(this)), m_edit(new QKeySequenceEdit(this)),
      m_reset(new QPushButton(this)), m_resetAll(new QPushButton(this)), m_message(new QLabel(this)) {
    m_filter->setClearButtonEnabled(true);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_prompt->setBuddy(m_edit);
    m_prompt->setWordWrap(true);
    m_message->setWordWrap(true);
    // Return belongs to the table and to the field, not to a button.
    for (QPushButton* button : {m_reset, m_resetAll}) button->setAutoDefault(false);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_prompt, 1);
    row->addWidget(m_edit);
    row->addWidget(m_reset);
    row->addWidget(m_resetAll);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(8);
    column->addWidget(m_filter);
    column->addWidget(m_table, 1);
    column->addLayout(row);
    column->addWidget(m_message);
    setFocusProxy(m_table);
    connect(m_filter, &QLineEdit::textChanged, this, [this] {
        filterRows();
        chooseRow();
    });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        m_message->clear();
        if (const auto binding = chosen()) m_bindings.reset(*binding);
    });
    connect(m_resetAll, &QPushButton::clicked, this, [this] {
        m_message->clear();
        m_bindings.resetAll();
    });
    connect(m_table, &QTableWidget::currentCellChanged, this, &KeyEditor::chooseRow);
    connect(m_table, &QTableWidget::cellActivated, this, [this] {
        if (m_edit->isEnabled()) m_edit->setFocus();
    });
    connect(m_edit, &QKeySequenceEdit::keySequenceChanged, this, &KeyEditor::take);
    connect(&bindings, &KeyBindings::changed, this, &KeyEditor::refresh);
    retranslate();
    m_table->resizeColumnsToContents();
    m_table->setCurrentCell(0, 0);
}

void KeyEditor::refresh() {
    m_shown = m_bindings.bindings();
    m_table->setRowCount(static_cast<int>(m_shown.size()));
    QFont bold = font();
    bold.setBold(true);
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        auto* keys = new QTableWidgetItem(m_shown[i].keys);
        if (m_shown[i].isChanged) keys->setFont(bold);
        m_table->setItem(static_cast<int>(i), 0, keys);
        m_table->setItem(static_cast<int>(i), 1, new QTableWidgetItem(m_shown[i].effect));
    }
    m_resetAll->setEnabled(std::any_of(m_shown.begin(), m_shown.end(), [](const auto& one) { return one.isChanged; }));
    filterRows();
    chooseRow();
}

/// By words of the effect, or by the key.
void KeyEditor::filterRows() {
    const QStringList words = m_filter->text().split(u' ', Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        const QString text = m_shown[i].keys + u' ' + m_shown[i].effect;
        const bool isShown = std::all_of(words.begin(), words.end(), [&text](const QString& word) {
            return text.contains(word, Qt::CaseInsensitive);
        });
        m_table->setRowHidden(static_cast<int>(i), !isShown);
    }
}

std::optional<std::size_t> KeyEditor::chosen() const {
    const auto row = static_cast<std::size_t>(std::max(m_table->currentRow(), 0));
    const bool isChosen = m_table->currentRow() >= 0 && row < m_shown.size() && !m_shown[row].isFixed &&
                          !m_table->isRowHidden(m_table->currentRow());
    return isChosen ? std::optional(row) : std::nullopt;
}

void KeyEditor::chooseRow() {
    const QSignalBlocker blocker(m_edit);
    m_edit->clear();
    const auto binding = chosen();
    m_edit->setEnabled(binding.has_value());
    m_reset->setEnabled(binding && m_shown[*binding].isChanged);
    const QString effect = binding ? QString(m_shown[*binding].effect).replace(u"&"_s, u"&&"_s) : QString();
    m_prompt->setText(binding ? tr("&New key for: %1").arg(effect) : tr("Gestures of the mouse stay as they are."));
}

void KeyEditor::take(const QKeySequence& pressed) {
    const auto binding = chosen();
    if (!binding || pressed.isEmpty()) return;
    m_message->setText(m_bindings.give(*binding, pressed[0]));
    chooseRow();
    m_table->setFocus();
}

void KeyEditor::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void KeyEditor::retranslate() {
    m_table->setAccessibleName(m_name());
    m_table->setHorizontalHeaderLabels({tr("Key or gesture"), tr("Effect")});
    m_filter->setPlaceholderText(tr("Filter by command or key"));
    m_filter->setAccessibleName(m_filter->placeholderText());
    m_edit->setAccessibleName(tr("New key"));
    m_reset->setText(tr("&Reset"));
    m_reset->setToolTip(tr("Gives the chosen command the key of a fresh installation"));
    m_resetAll->setText(tr("Reset &all"));
    m_message->clear();
    refresh();
}

}  // namespace altiscope
