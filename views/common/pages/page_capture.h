#pragma once

#include "core/session/session.h"
#include "core/tables/context_filter.h"

#include <QObject>

#include <cstdint>

namespace altiscope {

class Selection;

/// Which capture a page shows, and what the context that all pages share says of it. GUI thread.
class PageCapture : public QObject {
    Q_OBJECT
public:
    /// Both must outlive it.
    PageCapture(Session& session, Selection& selection, QObject* parent);

    /// Another one is to be shown. 0, or one that is not open: the newest one.
    void choose(std::uint32_t id);
    /// What choose() was given; 0 at first.
    std::uint32_t wanted() const { return m_wanted; }

    /// nullptr: none is open.
    const OpenCapture* open() const;
    /// 0: none is open.
    std::uint32_t id() const;
    /// The same once all of it is read; nullptr until then.
    const OpenCapture* whole() const;
    bool isBeingRead() const;
    ContextFilter context() const;
    /// The context chooses among ranks, whether or not it leaves some out.
    bool choosesRanks() const;

signals:
    /// Another capture, or news of this or of any other one.
    void changed();
    void contextChanged();

private:
    Session& m_session;
    Selection& m_selection;
    std::uint32_t m_wanted = 0;
    ContextFilter m_context;  // of all captures
};

}  // namespace altiscope
