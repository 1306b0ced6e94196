#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace altiscope {

class DiffColours;
class ToneLabel;

/// Effect of the settings, to the letter: the change of a file, a file, a command, a variable or lines of Python,
/// with buttons that copy and save it. GUI thread.
class PreviewPanel : public QWidget {
    Q_OBJECT
public:
    explicit PreviewPanel(QWidget* parent = nullptr);

    enum class Form {
        Change,   ///< Lines that come and go; a JSON file may be a single one.
        Text,     ///< Lines as they stand in a file.
        Command,  ///< One line, however long.
    };

    /// @param title   What it is.
    /// @param file    What is saved instead of a diff: the whole file; empty: the text itself.
    /// @param name    Proposed for saving.
    void showText(Form form, const QString& title, const QString& text, const QString& file, const QString& name);
    /// A line above the text; empty: none. @param isProblem  It says why something does not go.
    void showNote(const QString& note, bool isProblem);
    /// A button that reads the file from this target; empty: none.
    void offerReading(const QString& target);
    QString text() const;

signals:
    void readingRequested();
    /// The user wants to run it by hand, and comes back with results.
    void byHandRequested();
    /// A file of this name is to be written with this text.
    void saveRequested(const QString& file, const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void save();
    void retranslate();

    QLabel* m_title;
    ToneLabel* m_note;
    QPlainTextEdit* m_text;
    DiffColours* m_colours;
    QToolButton* m_copy;
    QToolButton* m_save;
    QToolButton* m_byHand;
    QToolButton* m_read;
    QString m_file, m_name, m_target;
};

}  // namespace altiscope
