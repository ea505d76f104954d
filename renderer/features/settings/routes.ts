// Routes of the settings.
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";
import { viewRoute } from "#renderer/lib/browser/view-route.ts";

export const settingsRoutes = [
  viewRoute(shellRoute, "settings", () => import("./settings-page.tsx"), "SettingsPage"),
  viewRoute(shellRoute, "settings/$section", () => import("./settings-page.tsx"), "SettingsPage"),
] as const;
