// Routes about the node: overview, validator, relay, diagnostics.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";

const nodeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "node",
  component: lazyRouteComponent(() => import("./node-page.tsx"), "NodePage"),
});

const validatorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "node/validator",
  component: lazyRouteComponent(() => import("./validator-page.tsx"), "ValidatorPage"),
});

const relayRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "node/relay",
  component: lazyRouteComponent(() => import("./relay-page.tsx"), "RelayPage"),
});

const diagnosticsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "node/diagnostics",
  component: lazyRouteComponent(() => import("./diagnostics-page.tsx"), "DiagnosticsPage"),
});

/** All routes of the feature. */
export const nodeRoutes = [nodeRoute, validatorRoute, relayRoute, diagnosticsRoute] as const;
