// Routes about the node: overview, validator, relay, diagnostics.
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";
import { viewRoute } from "#renderer/lib/browser/view-route.ts";

export const nodeRoutes = [
  viewRoute(shellRoute, "node", () => import("./node-page.tsx"), "NodePage"),
  viewRoute(shellRoute, "node/validator", () => import("./validator-page.tsx"), "ValidatorPage"),
  viewRoute(shellRoute, "node/relay", () => import("./relay-page.tsx"), "RelayPage"),
  viewRoute(shellRoute, "node/diagnostics", () => import("./diagnostics-page.tsx"), "DiagnosticsPage"),
] as const;
