#pragma once

#include "views/common/support/view_memory.h"

#include <QHash>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace altiscope {

/// A text that is open, and the values that its parameters had last.
struct QueryTab {
    std::uint64_t id = 0;  ///< Never reused while the program runs.
    QString name, text;
    QHash<QString, QString> values;  ///< By the parameter's name with its sign.
};

/// The texts that are open: at least one. Kept from one run of the program to the next. GUI thread.
class QueryTabs {
public:
    static constexpr std::size_t kMaxTabs = 20;
    /// Longer texts and names are not kept, but stay open.
    static constexpr qsizetype kMaxKeptLetters = 100'000, kMaxNameLetters = 200;

    explicit QueryTabs(const ViewMemory& memory);

    const std::vector<QueryTab>& tabs() const { return m_tabs; }
    std::size_t current() const { return m_current; }
    QueryTab& tab() { return m_tabs[m_current]; }
    /// Place of a tab; tabs().size() if it is closed.
    std::size_t find(std::uint64_t id) const;

    bool canAdd() const { return m_tabs.size() < kMaxTabs; }
    /// After the others, and the current one. @pre canAdd()
    void add(const QString& name, const QString& text);
    /// The last one is emptied instead.
    void close(std::size_t tab);
    void rename(std::size_t tab, const QString& name);
    void move(std::size_t from, std::size_t to);
    void choose(std::size_t tab) { m_current = tab; }

    /// Remembers everything.
    void keep() const;

private:
    void load();
    QString freshName() const;

    ViewMemory m_memory;
    std::vector<QueryTab> m_tabs;
    std::size_t m_current = 0;
    std::uint64_t m_nextId = 1;
};

}  // namespace altiscope
