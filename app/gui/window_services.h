#pragma once

namespace altiscope {

class DemoCapture;
class LanguageController;
class Marks;
class Selection;
class Session;
class ThemeController;
class UserSettings;

/// What the window works with; all of it outlives the window.
struct WindowServices {
    Session& session;
    Selection& selection;
    ThemeController& theme;
    LanguageController& language;
    UserSettings& settings;
    DemoCapture& demo;
    Marks& marks;
};

}  // namespace altiscope
