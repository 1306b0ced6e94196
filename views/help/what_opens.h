#pragma once

#include <QString>

namespace altiscope {

/// The page "Supported files and required data" as HTML in the language of the moment. Made from the lists by
/// which the program reads files and says what a capture is missing, so that it cannot say anything else than they do.
QString whatOpensHtml();

/// Its heading.
QString whatOpensTitle();

}  // namespace altiscope
