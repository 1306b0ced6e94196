#include "views/report/layout/page_colours.h"

#include "views/common/theme/theme.h"

namespace altiscope {

PartColour partColour(std::string_view column) {
    const Theme& theme = lightTheme();
    if (column == "free") return {theme.free, true};
    if (column == "not_moving" || column == "bubble") return {theme.wait};
    if (column == "reserved") return {theme.memory};
    if (column == "recoverable") return {theme.wait};
    for (const std::string_view communication : {"exposed_communication", "elapsed", "transit", "bandwidth"})
        if (column == communication) return {theme.communication};
    return {theme.computing};
}

}  // namespace altiscope
