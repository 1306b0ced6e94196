#pragma once

#include <QTextBrowser>

namespace altiscope {

/// Shows one page of the manual: pictures in the theme and language at hand, not wider than the view; links between
/// pages are followed, those to the network are not. Back and forward are QTextBrowser's. GUI thread.
class ManualText : public QTextBrowser {
    Q_OBJECT
public:
    explicit ManualText(QWidget* parent = nullptr);

    void showPage(const QString& page);
    QString page() const;

    /// Marks all places of these words; goes to the first one, or to the next from the cursor on. Empty words mark
    /// nothing.
    void mark(const QString& words);
    void findNext();

    /// Reads the page again: the language or the theme has changed, or the width of the view.
    void refresh();

protected:
    QVariant loadResource(int type, const QUrl& name) override;
    void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void setLook();
    void markAll();

    QString m_words;
    int m_pictureWidth = 0;
};

}  // namespace altiscope
