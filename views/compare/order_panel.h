#pragma once

#include "core/analysis/slices/slice_details.h"
#include "core/compare/comparison.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/heading_model.h"
#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QLabel;

namespace altiscope {

class Session;
class TablePanel;

enum class OrderColumn : std::size_t {
    Kind,
    Base,
    Current,
    Count,
    BaseTime,
    CurrentTime,
    Change,
    Share,
    BasePlace,
    CurrentPlace
};
/// A row for each of the comparison's, in their order. Pure; any thread.
std::shared_ptr<const ColumnTable> orderTable(const OrderComparison& order);
std::vector<ColumnHeading> orderHeadings();

/// Which kernels were added, removed, moved, reshaped, replaced, fused or split, by their order in a step. GUI thread.
class OrderPanel : public Translated<QWidget> {
    Q_OBJECT
public:
    /// The session must outlive it.
    OrderPanel(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    void setComparison(std::shared_ptr<const Comparison> comparison);
    TablePanel& table() { return *m_table; }
    QString sentence() const;
    bool idle() const;

signals:
    /// A kernel of the base or the current side.
    void kernelRequested(bool isOfBase, altiscope::SliceKey slice);

private:
    void showSentence();
    void openRow(std::uint32_t row, std::optional<bool> ofBase);
    void retranslate() override;

    std::shared_ptr<const Comparison> m_comparison;
    QLabel* m_sentence;
    TablePanel* m_table;
};

}  // namespace altiscope
