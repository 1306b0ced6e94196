#pragma once

#include <QMargins>

class QWidget;

namespace altiscope {

/// Margins of a row of controls above or below what it is about.
inline constexpr QMargins kBarMargins(8, 4, 8, 4);

/// A layout as pages have it: without margins, since what is in it has its own, and without spacing.
/// @param parent  nullptr: it is put into another layout.
template <class Layout>
Layout* bareLayout(QWidget* parent, int spacing = 0) {
    auto* layout = new Layout(parent);
    layout->setContentsMargins({});
    layout->setSpacing(spacing);
    return layout;
}

/// The layout of a row of controls.
template <class Layout>
Layout* barLayout(QWidget* parent, int spacing = 8) {
    Layout* layout = bareLayout<Layout>(parent, spacing);
    layout->setContentsMargins(kBarMargins);
    return layout;
}

}  // namespace altiscope
