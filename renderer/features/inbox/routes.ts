// Routes of the inbox: the list, and one conversation beside it.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/routing/shell-route.ts";

const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "inbox",
  component: lazyRouteComponent(() => import("./inbox-page.tsx"), "InboxPage"),
});

/** `$conversation` is a conversation id of the messenger: a master key in hex, or `unknown:<x25519>`. */
const conversationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "inbox/$conversation",
  component: lazyRouteComponent(() => import("./inbox-page.tsx"), "InboxPage"),
});

/** All routes of the feature. */
export const inboxRoutes = [inboxRoute, conversationRoute] as const;
