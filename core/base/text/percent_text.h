#pragma once

#include <string>
#include <string_view>

namespace altiscope {

/// The sign after the number of a percentage, by language ("en", "zh_CN"): English writes a blank before it, Chinese
/// none.
constexpr std::string_view percentSign(std::string_view language) { return language == "zh_CN" ? "%" : " %"; }

/// An amount that was written without a language, such as "25.0 %" (amount_text.h), as the language writes it: the
/// blank between a digit and a percent sign goes in Chinese, unless a letter or digit follows the sign.
std::string inLanguage(std::string_view amount, std::string_view language);

}  // namespace altiscope
