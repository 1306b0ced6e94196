#pragma once

#include "views/common/theme/meaning_look.h"

#include <QColor>

#include <string_view>

namespace altiscope {

/// How a quantity is filled: the colour and pattern that its meaning has everywhere.
struct PartColour {
    QColor colour;
    MeaningPattern pattern = MeaningPattern::Plain;
};

/// By the column of a report, "computing", "free", "reserved".
PartColour partColour(std::string_view column);

}  // namespace altiscope
