#pragma once

#include "core/session/session.h"

class QMenu;
class QWidget;

namespace altiscope {

/// Adds to the menu of a rank what a user may correct: its number, where no file states it or one states something
/// wrong; which of its sources is read; and the way back to what the files say. Sources that are folders of their own
/// open as captures of their own.
/// @param window  For dialogs.
void addCorrections(QMenu& menu, Session& session, const OpenCapture& capture, const RankInfo& rank, QWidget* window);

}  // namespace altiscope
