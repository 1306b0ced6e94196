#include "core/import/sqlite/db_pages.h"

#include "core/base/files/file.h"
#include "core/base/threads/parallel.h"
#include "core/import/sqlite/db_page.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{256} << 10;
constexpr int kMaxDepth = 64;

/// All pages, looked at one by one.
struct LookedAtPages {
    DbFileHeader header;
    std::vector<DbPage> pages;  // by number; 0 is none
    DbPageLinks links;          // ascending by page

    std::uint32_t count() const { return static_cast<std::uint32_t>(pages.size()) - 1; }

    template <class Link>
    static auto linksOf(const std::vector<Link>& all, std::uint32_t page) {
        const auto [first, last] = std::equal_range(all.begin(), all.end(), Link{page, 0, 0},
                                                    [](const Link& a, const Link& b) { return a.page < b.page; });
        return std::pair(first, last);
    }
};

std::span<const unsigned char> bytesOf(std::span<const char> text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

Result<LookedAtPages> lookAtAll(const ReadOnlyFile& file, const DbFileHeader& header, const CancelToken& cancel) {
    LookedAtPages all{header, {}, {}};
    const std::uint64_t inFile = file.size() / header.pageBytes;
    const std::uint64_t count = std::min<std::uint64_t>(
        header.pages == 0 ? inFile : std::min<std::uint64_t>(inFile, header.pages), UINT32_MAX - 1);
    all.pages.resize(static_cast<std::size_t>(count) + 1);
    const std::size_t pagesAtOnce = std::max<std::size_t>(1, kBlockBytes / header.pageBytes);
    std::vector<DbPageLinks> links((count + pagesAtOnce - 1) / pagesAtOnce);
    std::mutex mutex;  // guards the next one
    std::optional<Error> failed;
    parallelFor(links.size(), [&](std::size_t block) {
        if (cancel.cancelled()) return;
        const std::size_t first = block * pagesAtOnce + 1,
                          last = std::min<std::size_t>(first + pagesAtOnce, all.pages.size());
        thread_local std::vector<char> bytes;
        bytes.resize((last - first) * header.pageBytes);
        const auto got = file.read((first - 1) * std::uint64_t{header.pageBytes}, bytes);
        if (!got.ok()) {
            const std::lock_guard lock(mutex);
            failed = got.error();
            return;
        }
        // Behind a file that shrinks meanwhile there are zeros, which are no pages.
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(got.value()), bytes.end(), '\0');
        for (std::size_t page = first; page < last; ++page) {
            const auto ofPage = bytesOf(std::span(bytes).subspan((page - first) * header.pageBytes, header.pageBytes));
            all.pages[page] = checkPage(header, static_cast<std::uint32_t>(page), ofPage, links[block]);
        }
    });
    if (cancel.cancelled()) return Cancelled{};
    if (failed) return *failed;
    for (const DbPageLinks& one : links) {
        all.links.children.insert(all.links.children.end(), one.children.begin(), one.children.end());
        all.links.overflows.insert(all.links.overflows.end(), one.overflows.begin(), one.overflows.end());
    }
    return all;
}

/// Goes from the roots to all pages.
class PageWalk {
public:
    PageWalk(const LookedAtPages& all, DbPages& found)
        : m_all(all), m_found(found), m_reached(all.pages.size(), false) {}

    void tree(const DbRoot& root) {
        m_root = &root;
        m_extent = {INT64_MAX, INT64_MIN};
        m_rows = 0;
        visit(root.page, {INT64_MIN, INT64_MAX}, 0);
        if (!root.hasRows) return;
        m_found.rows[root.name] = m_rows;
        if (m_extent.first <= m_extent.last) m_found.extents[root.name] = m_extent;
    }

    void freeList(const ReadOnlyFile& file) {
        const DbFileHeader& header = m_all.header;
        std::uint32_t trunk = header.freeList;
        std::vector<char> text(header.pageBytes);
        while (trunk != 0 && reach(trunk)) {
            const auto got = file.read((trunk - 1) * std::uint64_t{header.pageBytes}, text);
            if (!got.ok() || got.value() < text.size()) return;
            const auto bytes = bytesOf(text);
            const auto number = [&bytes](std::uint32_t at) {
                return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
                       std::uint32_t{bytes[at + 2]} << 8 | bytes[at + 3];
            };
            const std::uint32_t leaves = std::min(number(4), header.usableBytes / 4 - 2);
            for (std::uint32_t i = 0; i < leaves; ++i) reach(number(8 + 4 * i));
            trunk = number(0);
        }
    }

    /// Pages that SQLite keeps for itself.
    void reserved() {
        static constexpr std::uint64_t kLockByte = std::uint64_t{1} << 30;
        const DbFileHeader& header = m_all.header;
        const auto lock = static_cast<std::uint32_t>(kLockByte / header.pageBytes + 1);
        if (lock <= m_all.count()) m_reached[lock] = true;
        if (!header.hasPointerMaps) return;
        const std::uint32_t step = header.usableBytes / 5 + 1;
        for (std::uint64_t page = 2; page <= m_all.count(); page += step)
            m_reached[page == lock ? page + 1 : page] = true;
    }

    void strays() {
        for (std::uint32_t page = 1; page <= m_all.count(); ++page) {
            if (m_reached[page]) continue;
            if (m_found.strayPages++ == 0) m_found.firstStray = page;
        }
    }

private:
    bool reach(std::uint32_t page) {
        if (page == 0 || page > m_all.count() || m_reached[page]) return false;
        m_reached[page] = true;
        return true;
    }

    void damaged(std::uint32_t page, DbRowRange rows) {
        if (!m_found.damages.empty() && m_lastRoot == m_root) {
            DbDamage& last = m_found.damages.back();
            if (!m_root->hasRows || rows.first <= last.rows.last || rows.first == last.rows.last + 1) {
                last.rows.last = std::max(last.rows.last, rows.last);
                ++last.pages;
                return;
            }
        }
        m_lastRoot = m_root;
        m_found.damages.push_back({m_root->name, m_root->hasRows, m_root->isIndex, page, 1, rows});
    }

    /// @param rows  That may lie there, by the keys of the pages above.
    void visit(std::uint32_t number, DbRowRange rows, int depth) {
        if (depth > kMaxDepth || !reach(number)) return damaged(number <= m_all.count() ? number : 0, rows);
        const DbPage& page = m_all.pages[number];
        if (page.kind == DbPage::Kind::Other || page.isOfTable() == m_root->isIndex) return damaged(number, rows);
        bool isSound = page.isSound && (page.cells > 0 || depth == 0);
        const bool hasIds = page.isOfTable() && page.cells > 0;
        if (hasIds && isSound) isSound = page.first >= rows.first && page.last <= rows.last;
        if (page.isLeaf()) {
            if (hasIds && isSound)
                m_extent = {std::min(m_extent.first, page.first), std::max(m_extent.last, page.last)};
            m_rows += page.cells;
        }
        if (page.kind == DbPage::Kind::IndexInner) m_rows += page.cells;
        const auto [firstChain, lastChain] = LookedAtPages::linksOf(m_all.links.overflows, number);
        for (auto chain = firstChain; chain != lastChain; ++chain) isSound = follow(*chain) && isSound;
        const auto [firstChild, lastChild] = LookedAtPages::linksOf(m_all.links.children, number);
        if (!isSound) damaged(number, rows);
        std::int64_t from = rows.first;
        for (auto child = firstChild; child != lastChild; ++child) {
            const std::int64_t last = std::min(child->last, rows.last);
            visit(child->child, {from, std::max(last, from)}, depth + 1);
            from = last == INT64_MAX ? last : std::max(from, last + 1);
        }
    }

    bool follow(const DbPageLinks::Overflow& chain) {
        std::uint32_t page = chain.first;
        for (std::uint32_t i = 0; i < chain.pages; ++i) {
            if (!reach(page)) return false;
            page = m_all.pages[page].next;
        }
        return page == 0;
    }

    const LookedAtPages& m_all;
    DbPages& m_found;
    std::vector<bool> m_reached;
    const DbRoot *m_root = nullptr, *m_lastRoot = nullptr;
    DbRowRange m_extent;
    std::uint64_t m_rows = 0;
};

}  // namespace

Result<DbPages> walkPages(const std::filesystem::path& path, const std::vector<DbRoot>& roots,
                          const CancelToken& cancel) {
    const auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return file.as<DbPages>();
    DbPages found;
    std::array<char, 100> head{};
    const auto got = file.value().read(0, head);
    if (!got.ok()) return got.as<DbPages>();
    if (got.value() < head.size()) return found;
    const DbFileHeader header = DbFileHeader::of(bytesOf(head));
    if (header.pageBytes == 0) return found;
    found.pageBytes = header.pageBytes;
    found.headerPages = header.pages;
    found.fileBytes = file.value().size();
    const auto all = lookAtAll(file.value(), header, cancel);
    if (!all.ok()) return all.as<DbPages>();
    PageWalk walk(all.value(), found);
    const DbRoot schema{"sqlite_schema", 1, true, false};
    walk.tree(schema);
    for (const DbRoot& root : roots) walk.tree(root);
    walk.freeList(file.value());
    walk.reserved();
    walk.strays();
    return found;
}

}  // namespace altiscope::reader
