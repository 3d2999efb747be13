// What has to happen before anything else is loaded: the token leaves the address bar, the colours are right.

import { gatewayUrl } from "./api/connection";
import { takeTokenFromAddress } from "./api/credentials";
import { startTheme } from "./lib/theme";

startTheme();
takeTokenFromAddress(gatewayUrl());
