#pragma once

#include "core/capture/methods/field.h"

#include <QString>
#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace altiscope {

/// Editor of one field, by its type: a check box, a list of words, a check box for each word, or a line.
/// Speaks the texts that --set takes. GUI thread.
class FieldEditor : public QWidget {
    Q_OBJECT
public:
    explicit FieldEditor(const capture::Field& field, QWidget* parent = nullptr);

    /// Value as the user sees it.
    QString text() const;
    /// Does not signal. A line in which the user types stays as it is while it means the same.
    void showText(const QString& text);
    /// Where the keys go.
    QWidget* input() const;

signals:
    /// By the user.
    void edited(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void setUpWords();
    QString joinedWords() const;

    const capture::Field& m_field;
    QCheckBox* m_flag = nullptr;
    QComboBox* m_choice = nullptr;
    QLineEdit* m_line = nullptr;
    std::vector<QCheckBox*> m_words;
};

}  // namespace altiscope
