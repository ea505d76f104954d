// What the shell says of itself, kept up to date by its events.
import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { DesktopApi, DesktopEvent, DesktopFacts } from "#shared/desktop/desktop-api.ts";

/** Key of the facts, for what changes them without an event. */
export const DESKTOP_FACTS_KEY = ["desktop", "facts"];

/** Facts of the shell. */
export function useDesktopFacts(desktop: DesktopApi): UseQueryResult<DesktopFacts> {
  const queryClient = useQueryClient();
  useEffect(() => desktop.onEvent((event) => applyEvent(queryClient, event)), [desktop, queryClient]);
  return useQuery({ queryKey: DESKTOP_FACTS_KEY, queryFn: () => desktop.call("facts", null), staleTime: Number.POSITIVE_INFINITY });
}

function applyEvent(queryClient: QueryClient, event: DesktopEvent): void {
  const change = factsOf(event);
  if (change !== undefined)
    queryClient.setQueryData<DesktopFacts>(DESKTOP_FACTS_KEY, (facts) => (facts === undefined ? undefined : { ...facts, ...change }));
}

function factsOf(event: DesktopEvent): Partial<DesktopFacts> | undefined {
  if (event.type === "node") return { node: event.state };
  if (event.type === "update") return { update: event.state };
  return event.type === "settings" ? { settings: event.settings } : undefined;
}
