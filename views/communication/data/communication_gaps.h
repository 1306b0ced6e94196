#pragma once

#include "views/communication/data/communication_source.h"

#include <QStringList>

#include <cstddef>
#include <vector>

namespace altiscope {

/// Missing data, and why it is missing; what is computed instead of recorded; what cannot be compared. A sentence each;
/// translated.
QStringList communicationGaps(const CommunicationSource& source);

/// Time to which a table is narrowed by what all pages show: "in the marked 12 ms"; empty without one.
/// @param whole  Indexes in CommunicationSource::ranks of those that it does not narrow in this table.
QString markedScope(const CommunicationSource& source, const std::vector<std::size_t>& whole = {});

/// "dp: 0, 2, 4, 6", by the ranks that are known.
QString groupTitle(const CommunicationGroup& group);
/// Name, hash, and whether its ranks are known.
QString groupTip(const CommunicationGroup& group);

}  // namespace altiscope
