#include "views/capture/support/host_texts.h"

#include "core/base/text/catalogue.h"
#include "core/base/text/printable_text.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QTextDocument>

namespace altiscope {

namespace {

struct HostTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::HostTexts)
};

}  // namespace

QString hostText(std::string_view text) { return toQString(printableText(text)); }

QString targetTitle(const std::string& name) {
    return name == "local" ? HostTexts::tr("This machine") : hostText(name);
}

QString hostSentence(const Error& error) {
    if (error.code.empty()) return {};
    Error own = error;
    for (auto& [name, value] : own.parameters) {
        if (name == "host" && value == "local") value = HostTexts::tr("this machine").toStdString();
    }
    QString sentence = hostText(errorText(own, catalogueLanguage()));
    // Names of hosts stay as they are.
    if (sentence.startsWith(HostTexts::tr("this machine"))) sentence[0] = sentence[0].toUpper();
    return sentence;
}

QString plainTip(const QString& text) {
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

}  // namespace altiscope
