// Routes of the contacts: the lists, and beside them one person, adding one, or inviting others.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";
import { viewRoute } from "#renderer/lib/browser/view-route.ts";

const contactsRoute = viewRoute(shellRoute, "contacts", () => import("./list/contacts-page.tsx"), "ContactsPage");

/** What adding a contact is opened with. It fills the form and never sends by itself. */
export interface AddContactSearch {
  /** Address, hex key or payment link of the person. */
  readonly to?: string;
}

const addRoute = createRoute({
  getParentRoute: () => contactsRoute,
  path: "new",
  validateSearch: (search: Record<string, unknown>): AddContactSearch =>
    typeof search.to === "string" || typeof search.to === "number" ? { to: String(search.to) } : {},
  component: lazyRouteComponent(() => import("./add/add-contact-page.tsx"), "AddContactPage"),
});

export const contactsRoutes = [
  contactsRoute.addChildren([
    viewRoute(contactsRoute, "/", () => import("./list/no-person-chosen.tsx"), "NoPersonChosen"),
    // The queue of all who wait for an answer, for links from elsewhere.
    viewRoute(contactsRoute, "requests", () => import("./list/requests-opener.tsx"), "RequestsOpener"),
    addRoute,
    viewRoute(contactsRoute, "invite", () => import("./invite/invite-page.tsx"), "InvitePage"),
    // `$publicKey` is the person's master key in hex.
    viewRoute(contactsRoute, "$publicKey", () => import("./person/person-page.tsx"), "PersonPage"),
  ]),
] as const;
