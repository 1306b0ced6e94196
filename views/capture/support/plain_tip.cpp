#include "views/capture/support/plain_tip.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/printable_text.h"
#include "views/common/support/formatters.h"

#include <QTextDocument>

namespace altiscope {

QString hostText(std::string_view text) { return toQString(printableText(text)); }

QString hostSentence(const Error& error) {
    return error.code.empty() ? QString() : hostText(errorText(error, catalogueLanguage()));
}

QString plainTip(const QString& text) {
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

}  // namespace altiscope
