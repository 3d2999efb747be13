// The calls of pages to the gateway. Reads go through `useCall`, which caches; writes through `useChange` or `call`.

import {
  QueryClient,
  type UseMutationOptions,
  type UseQueryOptions,
  useMutation,
  useQuery,
} from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { confirmHeld } from "./confirmation";
import { type ConnectionState, connection } from "./connection";
import { heldChange, isStale, NotConnected } from "./errors";
import type { EventFrame } from "./frames";
import type { Method, Params, Result } from "./types";

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Shown data stays while the gateway is away; events say when something is old.
      networkMode: "always",
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => error instanceof NotConnected && count < 20,
      retryDelay: 200,
    },
    // Another client wrote first: the gateway decides from the current state, so the same change is retried.
    mutations: { networkMode: "always", retry: (count, error) => isStale(error) && count < 1, retryDelay: 0 },
  },
});

/**
 * Asks the gateway; fails at once while there is no connection. A change that loosens something is shown to the person first,
 * and goes on when it is confirmed.
 */
export async function call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
  try {
    return (await connection.request(method, params)) as Result<M>;
  } catch (error) {
    const held = heldChange(error);
    if (!held) throw error;
    return (await confirmHeld(held)) as Result<M>;
  }
}

/** The key under which the answer of a method is cached. */
export function keyOf<M extends Method>(method: M, params?: Params<M>): readonly unknown[] {
  return params === undefined ? [method] : [method, params];
}

type CallOptions<M extends Method> = Omit<
  UseQueryOptions<Result<M>, Error, Result<M>, readonly unknown[]>,
  "queryKey" | "queryFn"
>;

/** The answer of a method that changes nothing, cached and refreshed by events. Waits for the connection. */
export function useCall<M extends Method>(method: M, params: Params<M>, options?: CallOptions<M>) {
  return useQuery({
    queryKey: keyOf(method, params),
    queryFn: async ({ signal }) => {
      await connection.opened(signal);
      return call(method, params);
    },
    ...options,
  });
}

/** A method that changes something. `refresh` names the methods whose answers are old afterwards. */
export function useChange<M extends Method>(
  method: M,
  options?: { refresh?: Method[] } & Omit<UseMutationOptions<Result<M>, Error, Params<M>>, "mutationFn">,
) {
  const { refresh: methods = [], ...rest } = options ?? {};
  return useMutation({
    mutationFn: (params: Params<M>) => call(method, params),
    ...rest,
    onSettled: async (...all) => {
      await Promise.all([refresh(...methods), rest.onSettled?.(...all)]);
    },
  });
}

/** Asks again for what is shown of these methods. Waits for the answers only while the gateway is connected. */
export async function refresh(...methods: Method[]): Promise<void> {
  const answers = Promise.all(methods.map((method) => queries.invalidateQueries({ queryKey: [method] })));
  if (connection.state.phase === "open") await answers;
}

/** The state of the connection. */
export function useConnection(): ConnectionState {
  return useSyncExternalStore(connection.subscribe, () => connection.state);
}

/** Calls `listener` for each event of the gateway while the component is there. */
export function useGatewayEvent(name: string, listener: (payload: unknown) => void): void {
  useEffect(
    () =>
      connection.onEvent((frame: EventFrame) => {
        if (frame.event === name) listener(frame.payload);
      }),
    [name, listener],
  );
}

/** True if the gateway offers a method, and while that is not known. */
export function useOffers(method: string): boolean {
  const state = useConnection();
  const methods = state.phase === "open" ? state.hello.features?.methods : undefined;
  return methods === undefined || methods.includes(method);
}
