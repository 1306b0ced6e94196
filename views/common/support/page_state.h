#pragma once

#include "core/base/values/ids.h"

#include <QJsonObject>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// The captures of a workspace by OpenCapture::id, in its order: a state names captures by their index in it.
struct WorkspaceIds {
    std::vector<CaptureId> ids;

    std::optional<std::size_t> indexOf(CaptureId capture) const {
        const auto found = std::find(ids.begin(), ids.end(), capture);
        return found == ids.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - ids.begin()));
    }
    /// kNoCapture for an index of none, as that of a capture that was not found again.
    CaptureId at(qint64 index) const {
        return index >= 0 && index < static_cast<qint64>(ids.size()) ? ids[static_cast<std::size_t>(index)]
                                                                     : kNoCapture;
    }
};

/// State that a page gives to a workspace and takes back from one. Member "view" of a state is where the user looks (a
/// window of time, a tab); all else is work of theirs, of which a change is worth saving. GUI thread.
class PageState {
public:
    static constexpr QLatin1StringView kView{"view"};

    virtual ~PageState() = default;

    /// At most some thousand bytes, but for pictures of a report; cheap enough to be read every second.
    virtual QJsonObject state(const WorkspaceIds& captures) const = 0;
    /// Takes what it understands; members may be missing or of other types. Captures may not be read yet: what needs
    /// them is kept until they are.
    virtual void restore(const QJsonObject& state, const WorkspaceIds& captures) = 0;
};

}  // namespace altiscope
