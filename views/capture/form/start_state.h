#pragma once

#include "core/capture/methods/method.h"
#include "views/capture/form/form_state.h"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace altiscope {

/// Where a capture takes place, and around what: texts as the user gives them.
struct JobInput {
    std::vector<std::string> targets = {};  ///< As parseTarget() takes them.
    std::string file = {};                  ///< The configuration on the targets.
    std::string workdir = {}, launch = {}, results = {};
    bool fetches = true;  ///< Copy the results and open them.
};

/// Effect of the start button.
struct StartState {
    bool possible = false;
    QString sentence;  ///< Sentence on what will happen, or what is lacking. Translated.
};

/// @note  Pure; GUI thread for the translation.
StartState startState(const FormState& form, const JobInput& job);

}  // namespace altiscope
