// Routes of the contacts: the lists, and beside them one person or adding one.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";

/** What adding a contact is opened with. It fills the form and never sends by itself. */
export interface AddContactSearch {
  /** Address, hex key or payment link of the person. */
  readonly to?: string;
}

const contactsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "contacts",
  component: lazyRouteComponent(() => import("./list/contacts-page.tsx"), "ContactsPage"),
});

const indexRoute = createRoute({
  getParentRoute: () => contactsRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./list/no-person-chosen.tsx"), "NoPersonChosen"),
});

const addRoute = createRoute({
  getParentRoute: () => contactsRoute,
  path: "new",
  validateSearch: (search: Record<string, unknown>): AddContactSearch =>
    typeof search.to === "string" || typeof search.to === "number" ? { to: String(search.to) } : {},
  component: lazyRouteComponent(() => import("./add/add-contact-page.tsx"), "AddContactPage"),
});

/** `$publicKey` is the person's master key in hex. */
const personRoute = createRoute({
  getParentRoute: () => contactsRoute,
  path: "$publicKey",
  component: lazyRouteComponent(() => import("./person/person-page.tsx"), "PersonPage"),
});

/** All routes of the feature. */
export const contactsRoutes = [contactsRoute.addChildren([indexRoute, addRoute, personRoute])] as const;
