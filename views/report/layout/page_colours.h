#pragma once

#include <QColor>

#include <string_view>

namespace altiscope {

/// How a quantity is filled: the colour that its meaning has everywhere.
struct PartColour {
    QColor colour;
    bool isHatched = false;
};

/// By the column of a report, "computing", "free", "reserved".
PartColour partColour(std::string_view column);

}  // namespace altiscope
