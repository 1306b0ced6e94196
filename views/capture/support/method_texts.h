#pragma once

#include "core/capture/methods/method.h"
#include "core/capture/session/record.h"
#include "views/common/theme/icons.h"

#include <QString>

#include <string_view>

namespace altiscope {

// Methods, presets and states in words. Translated; GUI thread.

QString methodTitle(const capture::Method& method);    ///< "MindSpeed-MM, chosen steps".
QString methodPurpose(const capture::Method& method);  ///< One sentence: what it changes, and when that acts.
/// @param name  Of presetNames(); empty: no preset.
QString presetTitle(std::string_view name);

QString stateTitle(capture::State state);
QString stateIcon(capture::State state);  ///< For themedIcon().
IconTone stateTone(capture::State state);

/// Unit, and bounds where they are no mere guards against typing errors: "steps ≥ 1", "1…100 Hz". Words are left to
/// the editor.
QString fieldHint(const capture::Field& field);
/// All that the table says about a field, in lines.
QString fieldTip(const capture::Field& field);

}  // namespace altiscope
