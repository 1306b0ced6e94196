#pragma once

#include "views/common/plots/view_window.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace altiscope {

/// Earlier and later views of a canvas that is not over a window in time. Values only.
template <class View>
class ViewHistory {
public:
    static constexpr std::size_t kMax = ViewWindow::kHistory;

    void clear() { *this = ViewHistory(); }
    bool hasPast() const { return !m_past.empty(); }
    /// To be called before a change. @param shown  What is in sight now.
    void remember(const View& shown, HistoryMark mark) {
        m_future.clear();
        if (mark == HistoryMark::Continue && !m_past.empty()) return;
        m_past.push_back(shown);
        if (m_past.size() > kMax) m_past.erase(m_past.begin());
    }
    /// @return The view before; the shown one if there is none.
    View previous(const View& shown) { return walk(m_past, m_future, shown); }
    View next(const View& shown) { return walk(m_future, m_past, shown); }

private:
    static View walk(std::vector<View>& from, std::vector<View>& to, const View& shown) {
        while (!from.empty()) {
            View view = std::move(from.back());
            from.pop_back();
            // A change that a limit prevented is no step.
            if (view == shown) continue;
            to.push_back(shown);
            return view;
        }
        return shown;
    }

    std::vector<View> m_past, m_future;
};

}  // namespace altiscope
