#include "views/common/pages/shown_capture.h"

namespace altiscope {

ShownCapture::ShownCapture(Session& session, Selection& selection, QObject* parent)
    : QObject(parent), m_session(session), m_selection(selection) {
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed})
        connect(&session, signal, this, &ShownCapture::changed);
    connect(&selection, &Selection::shownCaptureChanged, this, &ShownCapture::changed);
    connect(&selection, &Selection::changed, this, [this] {
        const SelectionState& state = m_selection.current();
        const bool isOther = m_context != state.context || m_base != state.base;
        m_context = state.context;
        m_base = state.base;
        if (isOther) emit contextChanged();
    });
}

const OpenCapture* ShownCapture::open() const {
    if (const OpenCapture* wanted = m_session.capture(m_selection.shownCapture()); wanted != nullptr) return wanted;
    return m_session.captures().empty() ? nullptr : &m_session.captures().back();
}

CaptureId ShownCapture::id() const {
    const OpenCapture* capture = open();
    return capture == nullptr ? kNoCapture : capture->id;
}

const OpenCapture* ShownCapture::whole() const {
    const OpenCapture* capture = open();
    return capture == nullptr || capture->store == nullptr || capture->job != 0 ? nullptr : capture;
}

bool ShownCapture::isBeingRead() const {
    const OpenCapture* capture = open();
    return capture != nullptr && capture->job != 0;
}

ContextFilter ShownCapture::context() const { return m_selection.current().context.forCapture(id()); }

std::optional<PageBase> ShownCapture::base() const { return pageBase(m_session, m_selection, id()); }

bool ShownCapture::choosesRanks() const {
    const ContextFilter chosen = context();
    return !chosen.ranks.empty() || !chosen.devices.empty();
}

}  // namespace altiscope
