export {
  call,
  keyOf,
  queries,
  refresh,
  useCall,
  useChange,
  useConnection,
  useGatewayEvent,
  useOffers,
} from "./client";
export { connection } from "./connection";
export {
  errorText,
  GatewayError,
  isAlreadyThere,
  isNotFound,
  isStale,
  isUnknownMethod,
  NotConnected,
} from "./errors";
export type * from "./types";
