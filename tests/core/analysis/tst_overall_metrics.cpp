#include "core/analysis/kernels/overall_metrics.h"
