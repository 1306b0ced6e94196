#pragma once

#include "core/base/time.h"
#include "views/common/view_memory.h"

#include <QListView>
#include <QSet>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

class QStandardItemModel;

namespace altiscope {

/// A finding, or data that is missing, in words.
struct FindingItem {
    enum class Weight : unsigned char { High, Medium, Low, Missing };

    Weight weight = Weight::Low;
    QString key;     ///< Names it from run to run, so that it can be muted: rule, rank, step.
    QString title, detail;
    QString formula; ///< Of the recoverable time, and the thresholds that decided.
    std::optional<DurationNs> recoverable;  ///< Per step.
    bool hasEvidence = false;
};

/// The findings of a capture, worst first, each with an icon and a word for its weight, what could be won back, and its sentence.
/// Enter or a click on one asks for its evidence; the menu copies and mutes. What is muted is remembered. GUI thread.
class FindingsList : public QListView {
    Q_OBJECT
public:
    explicit FindingsList(const ViewMemory& memory, QWidget* parent = nullptr);

    void setItems(std::vector<FindingItem> items);
    const std::vector<FindingItem>& items() const { return m_items; }
    /// Of those that are muted.
    std::size_t mutedCount() const;
    void setMuted(const QString& key, bool muted);
    void setMutedShown(bool shown);
    bool mutedShown() const { return m_mutedShown; }
    /// The chosen findings (all without a choice) as plain text.
    QString asText() const;

signals:
    void evidenceRequested(std::size_t item);  ///< Place in items().
    void mutedChanged();

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void copy() const;
    std::optional<std::size_t> itemAt(const QModelIndex& index) const;

    ViewMemory m_memory;
    std::vector<FindingItem> m_items;
    QSet<QString> m_muted;
    bool m_mutedShown = false;
    QStandardItemModel* m_model;
};

/// "High", "Medium", ...: translated.
QString weightWord(FindingItem::Weight weight);

}  // namespace altiscope
