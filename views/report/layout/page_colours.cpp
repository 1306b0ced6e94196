#include "views/report/layout/page_colours.h"

namespace altiscope {

PartColour partColour(std::string_view column) {
    const auto of = [](QColor Theme::*meaning) { return PartColour{lightTheme().*meaning, patternOf(meaning)}; };
    if (column == "free") return of(&Theme::free);
    if (column == "not_moving" || column == "bubble" || column == "recoverable") return of(&Theme::wait);
    if (column == "reserved") return of(&Theme::memory);
    for (const std::string_view communication : {"exposed_communication", "elapsed", "transit", "bandwidth"})
        if (column == communication) return of(&Theme::communication);
    return of(&Theme::computing);
}

}  // namespace altiscope
