// Route of the node's page.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/routing/shell-route.ts";

const nodeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "node",
  component: lazyRouteComponent(() => import("./node-page.tsx"), "NodePage"),
});

/** All routes of the feature. */
export const nodeRoutes = [nodeRoute] as const;
