#pragma once

#include "core/base/values/ids.h"

#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace altiscope {

class Selection;
class Session;
struct ShownAt;

/// Everything that is known of the selected slice: name, track, times, self time, parent, every argument, call stack
/// and linked slices; of a selected range its length; otherwise a sentence that says what to do. Reading the source
/// happens on a worker. A click on a parent or linked slice selects and reveals it. GUI thread.
class DetailsPanel : public QWidget {
    Q_OBJECT
public:
    /// Session and selection must outlive the panel.
    DetailsPanel(Session& session, Selection& selection, QWidget* parent = nullptr);
    ~DetailsPanel() override;

    /// Who knows where slices of a capture's rank are drawn, if that is not where they were recorded. Call showTimes()
    /// when it may be another.
    using ShownAtQuery = std::function<std::optional<ShownAt>(CaptureId capture, RankIndex rank, TrackId track)>;
    void setShownAt(ShownAtQuery request);
    void showTimes();

    /// No request is under way.
    bool idle() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace altiscope
