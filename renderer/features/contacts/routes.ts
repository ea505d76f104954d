// Routes of the contacts: people and requests, and one person.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/routing/shell-route.ts";

const contactsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "contacts",
  component: lazyRouteComponent(() => import("./contacts-page.tsx"), "ContactsPage"),
});

/** `$publicKey` is the person's master key in hex. */
const contactRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "contacts/$publicKey",
  component: lazyRouteComponent(() => import("./contacts-page.tsx"), "ContactsPage"),
});

/** All routes of the feature. */
export const contactsRoutes = [contactsRoute, contactRoute] as const;
