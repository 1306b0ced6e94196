#pragma once

#include "core/base/values/ids.h"
#include "views/common/support/translated.h"

#include <QWidget>

#include <cstdint>

class QLabel;
class QToolButton;

namespace altiscope {

class Session;

/// A line above the pages: the files of a capture have changed since they were read; read them again, or leave it at
/// that. Hidden while there is nothing to say. GUI thread.
class ChangedFilesBar : public Translated<QWidget> {
    Q_OBJECT
public:
    explicit ChangedFilesBar(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void retranslate() override;

    Session& m_session;
    CaptureId m_capture;  ///< The one that it speaks of.
    QLabel* m_text;
    QToolButton* m_reload;
    QToolButton* m_close;
};

}  // namespace altiscope
