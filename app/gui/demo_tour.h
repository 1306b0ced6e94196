#pragma once

#include "app/gui/window_services.h"
#include "core/base/values/ids.h"

#include <QObject>

#include <cstdint>
#include <vector>

class QMainWindow;

namespace altiscope {

class GuidedTour;
class WindowPages;
struct TourStop;

/// The guided tour of the program, over the demo: begins by itself when the demo is opened for the first time, and
/// never again but by the menu Help. GUI thread.
class DemoTour : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    DemoTour(const WindowServices& services, WindowPages& pages, QMainWindow& window);

    /// Opens the demo and begins as soon as it is read.
    void begin();
    bool active() const;

signals:
    /// Pages should show this capture: the tour explains it.
    void captureWanted(CaptureId capture);

private:
    void take(CaptureId capture);
    void beginWhenRead();
    std::vector<TourStop> stops();
    void showWorst();

    const WindowServices m_services;
    WindowPages& m_pages;
    QMainWindow& m_window;
    GuidedTour* m_tour;
    CaptureId m_capture;    // OpenCapture::id of the demo
    bool m_waits = false;   // the tour is to begin once it is read
    bool m_wanted = false;  // by the user
};

}  // namespace altiscope
