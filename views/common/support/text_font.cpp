#include "views/common/support/text_font.h"

#include "views/common/support/formatters.h"

#include <QApplication>
#include <QEvent>
#include <QObject>
#include <QWidget>

#include <utility>

namespace altiscope {

namespace {

/// A part of its widget. One with a font of its own is not reached by FontChange.
class TextSizeFollower : public QObject {
public:
    static constexpr QLatin1String kName{"text_size"};

    TextSizeFollower(QWidget& widget, std::function<QFont(const QFont&)> make)
        : QObject(&widget), m_widget(widget), m_make(std::move(make)) {
        setObjectName(kName);
        widget.installEventFilter(this);
        apply();
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        // Qt gives widgets neither without the other: the font of the desktop, or the sizes of controls by ours.
        const bool mayDiffer = event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::StyleChange;
        if (mayDiffer && m_widget.font() != m_make(QApplication::font())) apply();
        return QObject::eventFilter(watched, event);
    }

private:
    void apply() { m_widget.setFont(m_make(QApplication::font())); }

    QWidget& m_widget;
    const std::function<QFont(const QFont&)> m_make;
};

}  // namespace

void followTextSize(QWidget& widget, std::function<QFont(const QFont& body)> make) {
    delete widget.findChild<QObject*>(TextSizeFollower::kName, Qt::FindDirectChildrenOnly);
    new TextSizeFollower(widget, std::move(make));
}

QFont boldFont(const QFont& body) {
    QFont bold = body;
    bold.setBold(true);
    return bold;
}

void followTextSize(QWidget& widget, double factor) {
    followTextSize(widget, [factor](const QFont& body) { return scaledFont(body, factor); });
}

}  // namespace altiscope
