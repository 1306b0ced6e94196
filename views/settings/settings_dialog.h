#pragma once

#include <QDialog>
#include <QString>

#include <functional>
#include <utility>
#include <vector>

class QListWidget;
class QStackedWidget;

namespace altiscope {

/// The settings of the program: a list of subjects, and the page of the chosen one. Pages edit what their subject keeps
/// itself; the dialog keeps nothing. Not modal: what a change does is seen beside it. GUI thread.
class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    explicit SettingsDialog(QWidget* parent = nullptr);

    /// @param title  In the present language, whenever it is called.
    /// @param page   Goes with the dialog; sets its own texts.
    void addPage(std::function<QString()> title, QWidget* page);
    /// Shows the page at this index in the order in which they were added.
    void showPage(int index);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QListWidget* m_subjects;
    QStackedWidget* m_pages;
    std::vector<std::function<QString()>> m_titles;
};

}  // namespace altiscope
