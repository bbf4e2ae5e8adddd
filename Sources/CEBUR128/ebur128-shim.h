// libebur128's header, found where pkg-config has it.
#pragma once

#include <ebur128.h>
