#pragma once

#include "core/session/selection.h"
#include "core/session/session.h"
#include "core/tables/scope/context_filter.h"
#include "views/common/pages/page_base.h"

#include <QObject>

#include <cstdint>
#include <optional>

namespace altiscope {

/// The capture that pages show, and what the context that they share says of it. GUI thread.
class ShownCapture : public QObject {
    Q_OBJECT
public:
    /// Both must outlive it.
    ShownCapture(Session& session, Selection& selection, QObject* parent);

    /// Selection::shownCapture(), or the newest one; nullptr: none is open.
    const OpenCapture* open() const;
    /// 0: none is open.
    CaptureId id() const;
    /// The same once all of it is read; nullptr until then.
    const OpenCapture* whole() const;
    bool isBeingRead() const;
    ContextFilter context() const;
    /// The base beside what is shown; nullopt: nothing, or it is not whole yet.
    std::optional<PageBase> base() const;
    /// The context chooses among ranks, whether or not it leaves some out.
    bool choosesRanks() const;

signals:
    /// Another capture, or news of this or of any other one.
    void changed();
    void contextChanged();  ///< Or the base.

private:
    Session& m_session;
    Selection& m_selection;
    ContextFilter m_context;  // of all captures
    std::optional<BaseChoice> m_base;
};

}  // namespace altiscope
