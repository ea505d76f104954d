// All routes of the app in one typed tree. A new view adds its routes in its feature folder and one line here.
import { createRoute, createRouter, type Router, redirect } from "@tanstack/react-router";
import { contactsRoutes } from "#renderer/features/contacts/routes.ts";
import { explorerRoutes } from "#renderer/features/explorer/routes.ts";
import { inboxRoutes } from "#renderer/features/inbox/routes.ts";
import { nodeRoutes } from "#renderer/features/node/routes.ts";
import { settingsRoutes } from "#renderer/features/settings/routes.ts";
import { walletRoutes } from "#renderer/features/wallet/routes.ts";
import { rootRoute, shellRoute } from "#renderer/lib/browser/shell-route.ts";
import { viewRoute } from "#renderer/lib/browser/view-route.ts";
import { RouteError, RouteNotFound, RoutePending } from "./route-states.tsx";
import { Shell } from "./shell/shell.tsx";

/** Nothing is shown for this long while a view loads. */
const PENDING_DELAY_MS = 300;

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/inbox", replace: true });
  },
});

/** Every component in all its states; only where the build asks for it. */
const galleryRoute = viewRoute(rootRoute, "gallery", () => import("./gallery/gallery-page.tsx"), "GalleryPage");

/** An address without a view: said inside the shell, so that everything else stays within reach. */
const unknownRoute = createRoute({ getParentRoute: () => shellRoute, path: "$", component: RouteNotFound });

const shellTree = shellRoute.addChildren([
  ...inboxRoutes,
  ...walletRoutes,
  ...contactsRoutes,
  ...explorerRoutes,
  ...nodeRoutes,
  ...settingsRoutes,
  unknownRoute,
]);
const routeTree = rootRoute.addChildren([homeRoute, shellTree]);

export type AppRouter = Router<typeof routeTree, "never", false>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}

/** Builds the router; `withGallery` adds the page of all components. The inbox is shown before the words of the other views are there. */
export function createAppRouter(withGallery: boolean, loadAllWords: () => Promise<void>): AppRouter {
  shellRoute.update({ component: Shell });
  if (withGallery) rootRoute.addChildren([homeRoute, shellTree, galleryRoute]);
  return createRouter({
    routeTree,
    context: { loadAllWords },
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: RouteNotFound,
    defaultPendingComponent: RoutePending,
    defaultPendingMs: PENDING_DELAY_MS,
    defaultPendingMinMs: 0,
    defaultPreload: "intent",
    scrollRestoration: true,
    defaultStructuralSharing: false,
    trailingSlash: "never",
  });
}
