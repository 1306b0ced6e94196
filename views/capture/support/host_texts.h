#pragma once

#include "core/base/values/error.h"

#include <QString>

#include <string>
#include <string_view>

namespace altiscope {

/// Text of a host, in one line in which nothing is hidden: it may hold anything.
QString hostText(std::string_view text);
/// Name of a target for people.
QString targetTitle(const std::string& name);
/// The sentence of an error that may have words of a host, and says "this machine" for "local"; empty without a code.
QString hostSentence(const Error& error);

/// Text of a host, as a tip: Qt takes for HTML what looks like it.
QString plainTip(const QString& text);

}  // namespace altiscope
