#pragma once

#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

class QLineEdit;
class QListWidget;
class QSplitter;
class QToolButton;

namespace altiscope {

class ManualText;

/// The manual in a window of its own: contents with a search on the left, the page on the right. Follows language and
/// theme, remembers size and page. Escape clears the search, then closes. GUI thread.
class ManualWindow : public Translated<QWidget> {
    Q_OBJECT
public:
    ManualWindow(ViewMemory memory, QWidget* parent);

    /// Shows a page (manual.h) and comes to the front.
    void showPage(const QString& page);

protected:
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate() override;
    void list();  ///< The pages that have the words that are searched for.
    void follow();

    ViewMemory m_memory;
    QLineEdit* m_search;
    QListWidget* m_contents;
    QToolButton* m_back;
    QToolButton* m_forward;
    ManualText* m_text;
    QSplitter* m_splitter;
};

}  // namespace altiscope
