// A query in place of its view: on its way, failed with a way to try again, or for something that does not exist. Nothing once it has data.
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { ErrorState } from "./error-state.tsx";
import { SkeletonRows } from "./skeleton.tsx";

export interface QueryStateProps {
  readonly query: Pick<UseQueryResult, "data" | "error" | "refetch" | "isFetching">;
  /** Rows that stand in for the data. */
  readonly rows?: number;
  /** What is shown where the node says that there is no such thing. */
  readonly missing?: ReactElement;
}

export function QueryState({ query, rows, missing }: QueryStateProps): ReactElement | null {
  const { data, error, refetch, isFetching } = query;
  const [tried, setTried] = useState<Error | null>(null);
  const retry = (): void => {
    setTried(error);
    void refetch().finally(() => setTried(null));
  };
  if (missing !== undefined && isCodedError(error, "NOT_FOUND")) return missing;
  if (data !== undefined) return null;
  // While it is tried again the query has no error: what was pressed stays, with the focus.
  const shown = error ?? (isFetching ? tried : null);
  if (shown !== null) return <ErrorState error={shown} onRetry={retry} isRetrying={isFetching} />;
  return <SkeletonRows {...(rows !== undefined && { count: rows })} />;
}
