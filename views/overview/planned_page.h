#pragma once

#include "core/session/session.h"
#include "views/common/pages/page.h"
#include "views/common/tables/view_list.h"

namespace altiscope {

/// Stands where a view is not built yet: says what it will show and, from the open captures, for which ranks its data
/// is there or which switch records it.
class PlannedPage : public MessagePage {
    Q_OBJECT
public:
    PlannedPage(Session& session, ViewId view, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    Session& m_session;
    ViewId m_view;
};

/// For which ranks of the open captures a view has data, a line per capture; or the switches that would record it.
/// Empty for views that need nothing special and while nothing is open. Translated.
QString dataStateOf(const std::vector<OpenCapture>& captures, ViewId view);

}  // namespace altiscope
