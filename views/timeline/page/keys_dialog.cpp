#include "views/timeline/page/keys_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

namespace {

QString keysText(const std::vector<TimelineKey>& keys, TimelineAction action) {
    QStringList texts;
    for (const TimelineKey& key : keys) {
        if (key.action == action)
            texts << QKeySequence(QKeyCombination(key.modifiers, key.key)).toString(QKeySequence::NativeText);
    }
    return texts.join(QStringLiteral(", "));
}

}  // namespace

KeysDialog::KeysDialog(TimelineScene& scene, QWidget* parent)
    : QDialog(parent), m_scene(scene), m_table(new QTableWidget(0, 2, this)), m_prompt(new QLabel(this)),
      m_edit(new QKeySequenceEdit(this)), m_reset(new QPushButton(tr("&Reset all"), this)),
      m_message(new QLabel(this)) {
    setWindowTitle(tr("Timeline shortcuts"));
    m_table->setHorizontalHeaderLabels({tr("Key or gesture"), tr("Effect")});
    m_table->setAccessibleName(windowTitle());
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_prompt->setBuddy(m_edit);
    m_message->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_reset, QDialogButtonBox::ResetRole);
    // Return belongs to the table and to the field, not to a button.
    for (QAbstractButton* button : buttons->buttons()) static_cast<QPushButton*>(button)->setAutoDefault(false);
    auto* row = new QHBoxLayout;
    row->addWidget(m_prompt);
    row->addWidget(m_edit, 1);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_table, 1);
    column->addLayout(row);
    column->addWidget(m_message);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        m_message->clear();
        m_scene.setKeys(defaultTimelineKeys());
    });
    connect(m_table, &QTableWidget::currentCellChanged, this, &KeysDialog::chooseRow);
    connect(m_table, &QTableWidget::cellActivated, this, [this] {
        if (m_edit->isEnabled()) m_edit->setFocus();
    });
    connect(m_edit, &QKeySequenceEdit::keySequenceChanged, this, &KeysDialog::take);
    connect(&scene, &TimelineScene::keysChanged, this, &KeysDialog::refresh);
    refresh();
    m_table->resizeColumnsToContents();
    m_table->setCurrentCell(0, 0);
    const QFontMetrics metrics(font());
    resize(metrics.averageCharWidth() * 90, metrics.height() * 40);
}

void KeysDialog::refresh() {
    const std::vector<TimelineAction> actions = allTimelineActions();
    const std::vector<TimelineGesture> gestures = timelineGestures();
    m_table->setRowCount(static_cast<int>(actions.size() + gestures.size()));
    const auto set = [this](std::size_t place, const QString& what, const QString& effect) {
        m_table->setItem(static_cast<int>(place), 0, new QTableWidgetItem(what));
        m_table->setItem(static_cast<int>(place), 1, new QTableWidgetItem(effect));
    };
    for (std::size_t i = 0; i < actions.size(); ++i)
        set(i, keysText(m_scene.keys(), actions[i]), describeAction(actions[i]));
    for (std::size_t i = 0; i < gestures.size(); ++i) set(actions.size() + i, gestures[i].gesture, gestures[i].effect);
    m_reset->setEnabled(m_scene.keys() != defaultTimelineKeys());
    chooseRow();
}

std::optional<TimelineAction> KeysDialog::chosen() const {
    const std::vector<TimelineAction> actions = allTimelineActions();
    const auto row = static_cast<std::size_t>(m_table->currentRow());
    return m_table->currentRow() >= 0 && row < actions.size() ? std::optional(actions[row]) : std::nullopt;
}

void KeysDialog::chooseRow() {
    const QSignalBlocker blocker(m_edit);
    m_edit->clear();
    const auto action = chosen();
    m_edit->setEnabled(action.has_value());
    m_prompt->setText(action ? tr("&New key for: %1").arg(describeAction(*action))
                             : tr("Gestures of the mouse stay as they are."));
}

void KeysDialog::take(const QKeySequence& pressed) {
    const auto action = chosen();
    if (!action || pressed.isEmpty()) return;
    const QKeyCombination combination = pressed[0];
    m_message->clear();
    for (const TimelineKey& key : m_scene.keys()) {
        if (key.action == *action || QKeyCombination(key.modifiers, key.key) != combination) continue;
        m_message->setText(
            tr("%1 no longer does: %2")
                .arg(QKeySequence(combination).toString(QKeySequence::NativeText), describeAction(key.action)));
    }
    m_scene.setKeys(withKey(m_scene.keys(), *action, combination.key(), combination.keyboardModifiers()));
    m_table->setFocus();
}

}  // namespace altiscope
