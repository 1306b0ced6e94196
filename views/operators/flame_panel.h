#pragma once

#include "core/analysis/flame/flame_tree.h"
#include "core/session/session.h"
#include "core/tables/scope/rank_windows.h"
#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QScrollArea;

namespace altiscope {

class FlameFrames;
class FrameCanvas;

/// Scope of a flame graph: what it shows of which calls.
struct FlameChoice {
    enum class Shape : int { Icicle, Flame, BottomUp };

    FlameSource source = FlameSource::Calls;
    FlameSplit split = FlameSplit::None;
    FlameWeight weight = FlameWeight::Host;
    Shape shape = Shape::Icicle;
    bool beside = true;  ///< The difference to the base, if there is one.
    bool operator==(const FlameChoice&) const = default;

    FlameOrder order() const { return shape == Shape::BottomUp ? FlameOrder::BottomUp : FlameOrder::TopDown; }
};

/// A flame graph of the host's calls within a scope: where their time went, or which of them launched the tasks of the
/// device; beside a base as a difference. Made on workers while somebody looks; the choices are remembered. GUI thread.
class FlamePanel : public Translated<QWidget> {
    Q_OBJECT
public:
    FlamePanel(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    /// nullopt: nothing is shown.
    void setScope(std::optional<Scope> scope, std::optional<Scope> base);
    bool idle() const { return !isVisible() || !m_slot.busy(); }

    FrameCanvas& canvas() { return *m_canvas; }
    /// Null: nothing is shown, or not yet.
    const std::shared_ptr<const FlameTree>& tree() const { return m_tree; }
    FlameChoice choice() const;
    void choose(const FlameChoice& choice);
    /// The content in words; or why there is none.
    QString sentence() const;

signals:
    /// A call is to be seen in the timeline.
    void callRequested(altiscope::SliceId slice);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void setUp();
    QLayout* setUpBar();
    QLayout* setUpSentence();
    void setUpCanvas();
    void fitWeight();
    void remember();
    void request();
    void showRoot();
    void take(std::shared_ptr<const FlameFrames> frames);
    void showSums();
    QString reason() const;
    QString foundText() const;
    void retranslate() override;

    ViewMemory m_memory;
    JobSlot m_slot;
    std::optional<Scope> m_scope, m_base;
    bool m_isStale = false;
    bool m_replacedHost = false;  ///< Bottom-up took Self where the user had Host.
    /// Sources of m_tree.
    struct Known {
        std::optional<Scope> scope, base;
        FlameChoice choice;
        /// Calls need not be read again for another weight or shape.
        bool hasCallsOf(const Known& other) const {
            return choice.source == other.choice.source && choice.split == other.choice.split;
        }
    } m_known;
    std::shared_ptr<const FlameTree> m_tree;
    QComboBox *m_shape, *m_weight, *m_source, *m_split;
    QCheckBox* m_beside;
    QLineEdit* m_search;
    QLabel* m_sentence;
    FrameCanvas* m_canvas;
    QScrollArea* m_scroll;
};

}  // namespace altiscope
