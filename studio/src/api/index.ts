export {
  call,
  connection,
  keyOf,
  queries,
  refresh,
  useCall,
  useChange,
  useConnection,
  useGatewayEvent,
  useOffers,
} from "./client";
export { errorText, GatewayError, isStale, isUnknownMethod, NotConnected } from "./errors";
export type * from "./types";
