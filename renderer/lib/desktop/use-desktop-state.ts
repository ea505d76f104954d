// What the shell reports of itself, kept up to date by its events.
import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { DesktopApi, DesktopEvent, DesktopState } from "#shared/desktop/desktop-api.ts";

/** Key of the state, for what changes them without an event. */
export const DESKTOP_STATE_KEY = ["desktop", "state"];

/** State of the shell. */
export function useDesktopState(desktop: DesktopApi): UseQueryResult<DesktopState> {
  const queryClient = useQueryClient();
  useEffect(() => desktop.onEvent((event) => applyEvent(queryClient, event)), [desktop, queryClient]);
  return useQuery({ queryKey: DESKTOP_STATE_KEY, queryFn: () => desktop.call("state", null), staleTime: Number.POSITIVE_INFINITY });
}

function applyEvent(queryClient: QueryClient, event: DesktopEvent): void {
  const change = changeOf(event);
  if (change !== undefined)
    queryClient.setQueryData<DesktopState>(DESKTOP_STATE_KEY, (state) => (state === undefined ? undefined : { ...state, ...change }));
}

function changeOf(event: DesktopEvent): Partial<DesktopState> | undefined {
  if (event.type === "node") return { node: event.state };
  if (event.type === "update") return { update: event.state };
  if (event.type === "window") return { window: event.window };
  return event.type === "settings" ? { settings: event.settings } : undefined;
}
