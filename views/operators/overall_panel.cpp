#include "views/operators/overall_panel.h"
