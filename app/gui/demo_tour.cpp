#include "app/gui/demo_tour.h"

#include "app/gui/user_settings.h"
#include "app/gui/window_pages.h"
#include "core/session/demo_capture.h"
#include "core/session/findings_loader.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/findings/evidence_bar.h"
#include "views/help/guided_tour.h"
#include "views/overview/page/overview_page.h"
#include "views/timeline/page/timeline_page.h"

#include <QMainWindow>
#include <QMenuBar>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

QString seenKey() { return u"help/first_walk"_s; }

}  // namespace

DemoTour::DemoTour(const WindowServices& services, WindowPages& pages, QMainWindow& window)
    : QObject(&window), m_services(services), m_pages(pages), m_window(window), m_tour(new GuidedTour(window)) {
    connect(&services.demo, &DemoCapture::opened, this, &DemoTour::take);
    connect(&services.demo, &DemoCapture::failed, this, [this] { m_wanted = false; });
    connect(&services.session, &Session::captureChanged, this, &DemoTour::beginWhenRead);
    connect(&pages.findings(), &FindingsLoader::changed, this, &DemoTour::beginWhenRead);
    connect(&services.session, &Session::captureClosed, this, [this](CaptureId capture) {
        if (capture != m_capture) return;
        m_waits = false;
        m_tour->leave();
    });
    // Keys go to what was looked at, not into a box.
    connect(m_tour, &GuidedTour::ended, this, [this] { m_pages.currentWidget()->setFocus(); });
}

bool DemoTour::active() const { return m_tour->active(); }

void DemoTour::begin() {
    m_wanted = true;
    m_services.demo.open();
}

void DemoTour::take(CaptureId capture) {
    m_capture = capture;
    const bool isFirst = !m_services.settings.viewMemory().value(seenKey()).toBool();
    m_waits = m_wanted || isFirst;
    m_wanted = false;
    if (m_waits) emit captureWanted(capture);
    beginWhenRead();
}

void DemoTour::beginWhenRead() {
    if (!m_waits) return;
    const OpenCapture* demo = m_services.session.capture(m_capture);
    if (demo == nullptr || demo->job != 0) return;
    const FindingsLoader& loader = m_pages.findings();
    const bool isLookedAt = loader.shown() == m_capture && loader.found()->capture == demo->store && !loader.busy();
    if (demo->store == nullptr) m_waits = false;  // It could not be read.
    if (demo->store == nullptr || !isLookedAt) return;
    m_waits = false;
    m_services.settings.viewMemory().setValue(seenKey(), true);
    m_tour->start(stops());
}

void DemoTour::showWorst() {
    const auto& all = m_pages.findings().found()->findings;
    const auto slow =
        std::find_if(all.begin(), all.end(), [](const Finding& finding) { return finding.rule == "slow_rank"; });
    m_pages.showEvidence(slow == all.end() ? 0 : static_cast<std::size_t>(slow - all.begin()));
}

std::vector<TourStop> DemoTour::stops() {
    const auto show = [this](ViewId view) { return [this, view] { m_pages.showView(view); }; };
    const auto say = [](auto text) { return std::function<QString()>(text); };
    std::vector<TourStop> all;
    all.push_back({say([] { return tr("Where the time of a step goes"); }), say([] {
                       return tr("One bar for each rank: computing, communication, and time in which the device is "
                                 "free. One rank of this demo computes longer than the others, and they wait for it.");
                   }),
                   show(ViewId::Overview), [this] { return m_pages.overview().stepPlot(); }});
    all.push_back({say([] { return tr("What is suspicious"); }), say([] {
                       return tr("Rules look at every capture. A finding says what it costs a step and what to look "
                                 "at; the worst is first. Enter or a click leads to its evidence, as Next does now.");
                   }),
                   show(ViewId::Overview), [this] { return m_pages.overview().findingsPart(); }});
    all.push_back({say([] { return tr("The evidence"); }), say([] {
                       return tr("The finding stays here while you look at what it rests on. Of the slow rank and its "
                                 "peers the same stream is pinned below, so that the longer kernels can be seen; the "
                                 "arrows lead to the other steps.");
                   }),
                   [this] { showWorst(); }, [this] { return &m_pages.evidenceBar(); }});
    all.push_back({say([] { return tr("The timeline"); }), say([] {
                       return tr(
                           "W and S zoom at the pointer, A and D move. A click selects a slice, a drag marks a time, "
                           "and the panel below says what is in it. F finds slices, ? lists the shortcuts.");
                   }),
                   show(ViewId::Timeline), [this] { return &m_pages.timeline(); }});
    all.push_back(
        {say([] { return tr("Where to go on"); }),
         say([] {
             return tr(
                 "Commands (Ctrl+Shift+P) finds pages, ranks, slices and everything in the menus. F1 is the manual of "
                 "the page at hand. Your own captures: File, Open folder. This tour is in the menu Help.");
         }),
         {},
         [this] { return m_window.menuBar()->cornerWidget(); }});
    return all;
}

}  // namespace altiscope
