#pragma once

#include "core/analysis/slice_details.h"
#include "core/base/time.h"

#include <QObject>

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// What the user looks at, shared by all views: the only way in which views tell each other anything.
struct SelectionState {
    std::uint32_t capture = 0;             ///< OpenCapture::id; 0 if nothing is selected.
    std::optional<SliceRef> slice;
    std::optional<TimeRange> range;        ///< Marked time range, on the trace's clock.
    bool operator==(const SelectionState&) const = default;
};

/// Holds the current SelectionState and its history. GUI thread.
class Selection : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kHistory = 100;

    using QObject::QObject;

    const SelectionState& current() const { return m_current; }
    void set(const SelectionState& state);
    void selectSlice(std::uint32_t capture, SliceRef slice);
    void setRange(std::optional<TimeRange> range);
    void clear();
    /// Forgets everything of a capture, also in the history: it was closed or its store replaced.
    void forget(std::uint32_t capture);

    bool canUndo() const { return !m_past.empty(); }
    bool canRedo() const { return !m_future.empty(); }
    void undo();
    void redo();

    /// Asks views to bring a slice into sight (not part of the state).
    void reveal(std::uint32_t capture, SliceRef slice);

signals:
    void changed();
    void revealRequested(std::uint32_t capture, altiscope::SliceRef slice);

private:
    SelectionState m_current;
    std::vector<SelectionState> m_past;
    std::vector<SelectionState> m_future;
};

} // namespace altiscope
