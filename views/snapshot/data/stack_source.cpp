#include "views/snapshot/data/stack_source.h"

#include "views/common/support/formatters.h"

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

StackSource::StackSource(std::shared_ptr<const LoadedSnapshot> snapshot, std::shared_ptr<const StackTree> tree)
    : m_snapshot(std::move(snapshot)), m_tree(std::move(tree)) {}

std::string_view StackSource::text(std::uint32_t node) const {
    return m_snapshot->frames->frames()[m_tree->nodes[node].frame].text;
}

QString StackSource::title(std::uint32_t node) const {
    return (node == 0 ? tr("All") : shortFrame(text(node))) + u"  "_s + bytesText(m_tree->nodes[node].weight);
}

QString StackSource::tip(std::uint32_t number) const {
    const FrameNode& node = m_tree->nodes[number];
    const std::int64_t all = std::max<std::int64_t>(1, m_tree->nodes.front().weight);
    return (number == 0 ? tr("All") : toQString(text(number))) + u'\n' + exactBytesText(node.weight) + u", "_s +
           formatPercent(static_cast<double>(node.weight) / static_cast<double>(all)) + u'\n' +
           withCount(tr("%n block(s)", nullptr, pluralCount(node.count)), node.count);
}

}  // namespace altiscope
