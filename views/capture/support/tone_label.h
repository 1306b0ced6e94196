#pragma once

#include "views/common/theme/icons.h"

#include <QLabel>

namespace altiscope {

/// A wrapped line of plain text in a colour of the theme, which it follows. GUI thread.
class ToneLabel : public QLabel {
    Q_OBJECT
public:
    explicit ToneLabel(IconTone tone, QWidget* parent = nullptr);
    void setTone(IconTone tone);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyTone();

    IconTone m_tone;
};

}  // namespace altiscope
