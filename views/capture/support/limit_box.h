#pragma once

#include "core/capture/session/fetch.h"
#include "views/common/support/view_memory.h"

#include <QSpinBox>

namespace altiscope {

/// How fast results may be copied, in MB per second for all hosts together; remembered. GUI thread.
class LimitBox : public QSpinBox {
    Q_OBJECT
public:
    explicit LimitBox(ViewMemory memory, QWidget* parent = nullptr);
    capture::FetchLimits limits() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    ViewMemory m_memory;
};

}  // namespace altiscope
