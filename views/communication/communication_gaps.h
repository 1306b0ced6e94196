#pragma once

#include "views/communication/communication_source.h"

#include <QStringList>

namespace altiscope {

/// What is not there, and why; what is computed instead of recorded; what cannot be compared. A sentence each; translated.
QStringList communicationGaps(const CommunicationSource& source);

/// "dp: 0, 2, 4, 6", by the ranks that are known.
QString groupTitle(const CommunicationGroup& group);
/// Name, hash, and whether its ranks are told.
QString groupTip(const CommunicationGroup& group);

}  // namespace altiscope
