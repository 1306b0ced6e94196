#pragma once

#include <QString>

namespace altiscope {

/// What a host says, as a tip: Qt takes for HTML what looks like it.
QString plainTip(const QString& text);

}  // namespace altiscope
