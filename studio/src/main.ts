// The first step: the one-time code or the token leaves the address bar, and the gateway is asked while the pages are still on their way.

import { connection } from "./api/connection";
import { takeFromAddress } from "./api/credentials";
import "./styles/index.css";

connection.start(takeFromAddress(connection.url));
void import("./app");
