#pragma once

#include "core/capture/methods/method.h"
#include "core/capture/methods/validation.h"
#include "views/common/support/view_memory.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Settings of a method that the user has given a name.
struct OwnPreset {
    QString name;
    std::string base;  ///< One of presetNames(), below the edits; empty: none.
    std::vector<capture::Assignment> edits;
    bool operator==(const OwnPreset&) const = default;
};

/// A preset as a text for files: {"method":M,"preset":BASE,"name":N,"settings":[[FIELD,VALUE],...]}.
QByteArray presetText(const capture::Method& method, const OwnPreset& preset);
/// @return nullopt for what is no such text, or one of another method.
std::optional<OwnPreset> presetOfText(const capture::Method& method, const QByteArray& text);

/// Those of a method that are remembered, by name.
std::vector<OwnPreset> ownPresets(const ViewMemory& memory, const capture::Method& method);
/// In the place of one with the same name.
void keepPreset(const ViewMemory& memory, const capture::Method& method, const OwnPreset& preset);
void forgetPreset(const ViewMemory& memory, const capture::Method& method, const QString& name);

}  // namespace altiscope
