#include "core/base/text/percent_text.h"

#include "core/base/values/digits.h"

namespace altiscope {

std::string inLanguage(std::string_view amount, std::string_view language) {
    static constexpr std::string_view kNeutral = percentSign("en");
    const std::string_view sign = percentSign(language);
    std::string text;
    for (std::size_t at = 0; at < amount.size();) {
        const std::string_view rest = amount.substr(at);
        const bool isShare = rest.starts_with(kNeutral) && at > 0 && isDigit(amount[at - 1]) &&
                             (rest.size() == kNeutral.size() || !isAlnum(rest[kNeutral.size()]));
        text += isShare ? sign : rest.substr(0, 1);
        at += isShare ? kNeutral.size() : 1;
    }
    return text;
}

}  // namespace altiscope
