// The two routes that everything hangs on. Features build their routes on `shellRoute`; the app gives both their components.
import { createRootRouteWithContext, createRoute } from "@tanstack/react-router";

/** What the app gives all routes. */
export interface RouteContext {
  /** Resolves once the words of every view are there. */
  readonly loadAllWords: () => Promise<void>;
}

/** Root of all routes. */
export const rootRoute = createRootRouteWithContext<RouteContext>()();

/** Parent of every view inside the shell: an unlocked account is there. The inbox is shown before the words of the other views have come. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: async ({ context, location }): Promise<void> => {
    if (location.pathname !== "/inbox") await context.loadAllWords();
  },
});
