// The two routes that everything hangs on. Features build their routes on `shellRoute`; the app gives both their components.
import { createRootRoute, createRoute } from "@tanstack/react-router";

/** Root of all routes. */
export const rootRoute = createRootRoute();

/** Parent of every view inside the shell: an unlocked account is there. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: "shell" });
