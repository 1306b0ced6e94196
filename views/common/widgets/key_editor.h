#pragma once

#include "views/common/widgets/key_bindings.h"

#include <QWidget>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace altiscope {

/// A table of keys with their effects, and a line in which the chosen one is changed by pressing another. It counts at
/// once. GUI thread.
class KeyEditor : public QWidget {
    Q_OBJECT
public:
    /// @param name  Of the table in the present language, for screen readers.
    /// The bindings must outlive it.
    KeyEditor(KeyBindings& bindings, std::function<QString()> name, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void retranslate();
    void chooseRow();
    void filterRows();
    void take(const QKeySequence& pressed);
    std::optional<std::size_t> chosen() const;

    KeyBindings& m_bindings;
    const std::function<QString()> m_name;
    std::vector<KeyBinding> m_shown;
    QLineEdit* m_filter;
    QTableWidget* m_table;
    QLabel* m_prompt;
    QKeySequenceEdit* m_edit;
    QPushButton* m_reset;
    QPushButton* m_resetAll;
    QLabel* m_message;
};

}  // namespace altiscope
