// What comes first: the token leaves the address bar, and the gateway is asked while the pages are still on their way.

import { connection } from "./api/connection";
import { takeTokenFromAddress } from "./api/credentials";
import "./styles/index.css";

takeTokenFromAddress(connection.url);
connection.start();
void import("./app");
