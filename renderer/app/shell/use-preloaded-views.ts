// Fetches the code of every view once the shell is idle, so that moving about is instant and goes on when the node is away.
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** Loads what is not loaded yet; a failure is met again when the view is opened. */
export function usePreloadedViews(): void {
  const router = useRouter();
  useEffect(() => {
    const load = (): void => {
      for (const route of Object.values(router.routesById)) router.loadRouteChunk(route)?.catch(() => undefined);
    };
    const idle = requestIdleCallback(load);
    return (): void => cancelIdleCallback(idle);
  }, [router]);
}
