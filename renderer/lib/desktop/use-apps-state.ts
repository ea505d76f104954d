// Programs that the person let in, as the shell reports them, kept up to date by its events.
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { MAX_JOURNAL_PAGE } from "#shared/apps/app-limits.ts";
import type { DesktopAppsState } from "#shared/desktop/desktop-apps.ts";
import { desktopApi } from "./desktop-api.ts";

const APPS_STATE_KEY = ["desktop", "apps"];

/** State of the programs; in a browser there is never any. */
export function useAppsState(): UseQueryResult<DesktopAppsState> {
  const desktop = desktopApi();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      desktop?.onEvent((event) => {
        if (event.type === "apps") queryClient.setQueryData<DesktopAppsState>(APPS_STATE_KEY, event.state);
      }),
    [desktop, queryClient],
  );
  return useQuery({
    queryKey: APPS_STATE_KEY,
    queryFn: (): Promise<DesktopAppsState> =>
      desktop === undefined ? Promise.reject(new Error("No shell is around this page")) : desktop.call("appsState", null),
    enabled: desktop !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Name of the program of a connection, while it is known here. */
export function useProgramName(connection: string): string | undefined {
  const { data } = useAppsState();
  return [...(data?.connections ?? []), ...(data?.ended ?? [])].find(({ id }) => id === connection)?.name;
}

/** Name of the program that ordered a transaction, among the latest lines of the log; undefined for the person's own. */
export function useOrderingProgram(transactionId: string): string | undefined {
  const desktop = desktopApi();
  const { connections = [], ended = [] } = useAppsState().data ?? {};
  const { data: orders } = useQuery({
    // The state changes with each line.
    queryKey: ["desktop", "programOrders", connections, ended],
    queryFn: async (): Promise<ReadonlyMap<string, string>> => {
      const { lines } = (await desktop?.call("appsLog", { before: null, limit: MAX_JOURNAL_PAGE })) ?? { lines: [] };
      return new Map(lines.flatMap(({ txId, connection }) => (txId === "" ? [] : [[txId, connection]])));
    },
    enabled: desktop !== undefined && connections.length + ended.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const connection = orders?.get(transactionId);
  return connection && ([...connections, ...ended].find(({ id }) => id === connection)?.name ?? undefined);
}

/** How many decisions wait for the person. */
export function useWaitingPrograms(): number {
  const { data } = useAppsState();
  return data === undefined ? 0 : (data.request === null ? 0 : 1) + data.approvals.length;
}
