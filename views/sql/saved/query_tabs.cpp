#include "views/sql/saved/query_tabs.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

struct QueryTabTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::QueryTabs)
};

const QString kTabsKey = u"sql/tabs"_s, kCurrentKey = u"sql/current_tab"_s;

}  // namespace

QueryTabs::QueryTabs(const ViewMemory& memory) : m_memory(memory) {
    load();
    if (m_tabs.empty()) add({}, {});
    m_current = std::min<std::size_t>(m_memory.value(kCurrentKey).toUInt(), m_tabs.size() - 1);
}

/// Names and texts take turns. Nobody knows who wrote the settings.
void QueryTabs::load() {
    const QStringList kept = m_memory.value(kTabsKey).toStringList();
    for (qsizetype i = 0; i + 1 < kept.size() && m_tabs.size() < kMaxTabs; i += 2) {
        if (kept[i].size() > kMaxNameLetters || kept[i + 1].size() > kMaxKeptLetters) continue;
        m_tabs.push_back({m_nextId++, kept[i], kept[i + 1], {}});
    }
}

void QueryTabs::keep() const {
    QStringList kept;
    std::size_t current = 0;
    for (std::size_t i = 0; i < m_tabs.size(); ++i) {
        const QueryTab& tab = m_tabs[i];
        if (tab.name.size() > kMaxNameLetters || tab.text.size() > kMaxKeptLetters) continue;
        if (i == m_current) current = static_cast<std::size_t>(kept.size() / 2);
        kept << tab.name << tab.text;
    }
    m_memory.setValue(kTabsKey, kept);
    m_memory.setValue(kCurrentKey, static_cast<uint>(current));
}

QString QueryTabs::freshName() const {
    for (int number = 1;; ++number) {
        const QString name = QueryTabTexts::tr("Query %1").arg(number);
        if (std::none_of(m_tabs.begin(), m_tabs.end(), [&](const QueryTab& tab) { return tab.name == name; }))
            return name;
    }
}

std::size_t QueryTabs::find(std::uint64_t id) const {
    const auto found = std::find_if(m_tabs.begin(), m_tabs.end(), [id](const QueryTab& tab) { return tab.id == id; });
    return static_cast<std::size_t>(found - m_tabs.begin());
}

void QueryTabs::add(const QString& name, const QString& text) {
    m_tabs.push_back({m_nextId++, name.isEmpty() ? freshName() : name, text, {}});
    m_current = m_tabs.size() - 1;
}

void QueryTabs::close(std::size_t tab) {
    m_tabs.erase(m_tabs.begin() + static_cast<std::ptrdiff_t>(tab));
    if (m_tabs.empty()) return add({}, {});
    if (m_current > tab || m_current == m_tabs.size()) --m_current;
}

void QueryTabs::rename(std::size_t tab, const QString& name) {
    const QString plain = name.simplified().first(std::min(name.simplified().size(), kMaxNameLetters));
    if (!plain.isEmpty()) m_tabs[tab].name = plain;
}

void QueryTabs::move(std::size_t from, std::size_t to) {
    const std::uint64_t shown = m_tabs[m_current].id;
    QueryTab moved = std::move(m_tabs[from]);
    m_tabs.erase(m_tabs.begin() + static_cast<std::ptrdiff_t>(from));
    m_tabs.insert(m_tabs.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
    m_current = find(shown);
}

}  // namespace altiscope
