import { Loading } from "./Empty";
import { ErrorNote } from "./Note";

interface ReadState {
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

/** The state of a read beside its data: rows that load, or the error with a way to try again. */
export function QueryState(props: { of: ReadState; what: string; loading: string; rows?: number }) {
  const { of, what, loading, rows } = props;
  if (of.error) return <ErrorNote what={what} error={of.error} retry={() => of.refetch()} />;
  return of.isPending ? <Loading label={loading} {...(rows !== undefined && { rows })} /> : null;
}
