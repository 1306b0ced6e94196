#pragma once

#include "app/gui/window_services.h"
#include "core/base/values/ids.h"

#include <QObject>

#include <cstdint>
#include <vector>

class QMainWindow;

namespace altiscope {

class FirstWalk;
class WindowPages;
struct WalkStop;

/// The first walk through the program, over the demo: begins by itself when the demo is opened for the first time, and
/// never again but by the menu Help. GUI thread.
class DemoWalk : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    DemoWalk(const WindowServices& services, WindowPages& pages, QMainWindow& window);

    /// Opens the demo and begins as soon as it is read.
    void begin();
    bool active() const;

signals:
    /// Pages should show this capture: the walk explains it.
    void captureWanted(CaptureId capture);

private:
    void take(CaptureId capture);
    void beginWhenRead();
    std::vector<WalkStop> stops();
    void showWorst();

    const WindowServices m_services;
    WindowPages& m_pages;
    QMainWindow& m_window;
    FirstWalk* m_walk;
    CaptureId m_capture;    // OpenCapture::id of the demo
    bool m_waits = false;   // the walk is to begin once it is read
    bool m_wanted = false;  // by the user
};

}  // namespace altiscope
