#include "views/capture/support/plain_tip.h"

#include <QTextDocument>

namespace altiscope {

QString plainTip(const QString& text) {
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

}  // namespace altiscope
