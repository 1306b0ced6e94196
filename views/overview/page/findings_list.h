#pragma once

#include "views/common/support/finding_settings.h"
#include "views/common/support/finding_texts.h"

#include <QListView>
#include <QString>

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

class QStandardItemModel;

namespace altiscope {

/// The findings of a capture, worst first, each with an icon and a word for its weight, the recoverable time, and its
/// sentence. Enter or a click on one requests its evidence; the menu copies and mutes. Data that is not recorded is
/// one line, which unfolds. GUI thread.
class FindingsList : public QListView {
    Q_OBJECT
public:
    /// The settings must outlive it.
    explicit FindingsList(FindingSettings& settings, QWidget* parent = nullptr);

    void setItems(std::vector<FindingItem> items);
    const std::vector<FindingItem>& items() const { return m_items; }
    /// How many are hidden.
    std::size_t mutedCount() const;
    void setMutedShown(bool shown);
    bool mutedShown() const { return m_mutedShown; }
    /// The chosen findings (all without a choice) as plain text.
    QString asText() const;

signals:
    void evidenceRequested(std::size_t item);  ///< Place in items().
    void mutedShownChanged();

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    /// Leads to the evidence; of missing data shows or hides what it is.
    void open(std::size_t item);
    void copy() const;
    std::optional<std::size_t> itemAt(const QModelIndex& index) const;

    FindingSettings& m_settings;
    std::vector<FindingItem> m_items;
    std::set<QString> m_unfolded;  ///< FindingItem::key
    bool m_mutedShown = false;
    QStandardItemModel* m_model;
};

}  // namespace altiscope
