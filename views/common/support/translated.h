#pragma once

#include <QEvent>
#include <QWidget>

namespace altiscope {

/// A widget that sets its texts in retranslate(), which is called again when the language changes. The constructor of
/// the class that derives calls it for the first time.
template <class Base = QWidget>
class Translated : public Base {
public:
    using Base::Base;

protected:
    virtual void retranslate() = 0;

    void changeEvent(QEvent* event) override {
        if (event->type() == QEvent::LanguageChange) retranslate();
        Base::changeEvent(event);
    }
};

}  // namespace altiscope
