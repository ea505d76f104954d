// How the node is, for every view that shows what it said.
import { useQuery } from "@tanstack/react-query";
import { useLiveState } from "./access/node-context.tsx";
import { useNodeQueries } from "./queries.ts";
import { type SyncState, syncStateOf } from "./sync-state.ts";

/** State of the node, and when it last said so, milliseconds since 1970; 0 for never. */
export interface KnownSyncState {
  readonly sync: SyncState;
  readonly asOfMs: number;
}

/** `refetchMs`: for the one place that asks again by itself. */
export function useSyncState(refetchMs: number | false = false): KnownSyncState {
  const live = useLiveState();
  const { data, isError, failureCount, dataUpdatedAt } = useQuery({ ...useNodeQueries().status(), refetchInterval: refetchMs });
  return { sync: syncStateOf(data, isError || failureCount > 0, live), asOfMs: dataUpdatedAt };
}
