#pragma once

#include <QString>
#include <QTextBrowser>

namespace altiscope {

/// The help page "Supported files and required data" as HTML in the language of the moment. Made from the lists by
/// which the program reads files and tells what a capture is missing, so that it cannot say anything else than they do.
QString whatOpensHtml();

/// A window of its own with that page; follows the language and the theme.
class WhatOpensWindow : public QTextBrowser {
    Q_OBJECT
public:
    explicit WhatOpensWindow(QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
};

}  // namespace altiscope
