// Routes of the settings.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "settings",
  component: lazyRouteComponent(() => import("./settings-page.tsx"), "SettingsPage"),
});

const sectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "settings/$section",
  component: lazyRouteComponent(() => import("./settings-page.tsx"), "SettingsPage"),
});

/** All routes of the feature. */
export const settingsRoutes = [settingsRoute, sectionRoute] as const;
