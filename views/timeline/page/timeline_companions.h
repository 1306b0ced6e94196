#pragma once

#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/timeline/scene/timeline_scene.h"

#include <vector>

namespace altiscope {

/// Captures that the timeline shows: the one that all pages show (without one the newest), and those whose
/// recordings overlap with it in time, as the ranks of one job do that were opened one by one. Others have nothing to
/// do with it: their times are those of another axis. The base of the pages comes last. Without shifts of ranks.
std::vector<SceneCapture> capturesOnAxis(const Session& session, const Selection& selection);

/// Puts what stands beside captures into the list: the base that all pages compare with, below the capture that is
/// shown and with its steps at the same places, and the tracks that the user's statements computed. A base that is an
/// open capture by itself takes the place of that; a part of the shown one is there once more.
void addCompanions(std::vector<SceneCapture>& captures, const Session& session, const Selection& selection);

}  // namespace altiscope
