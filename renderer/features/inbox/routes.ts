// Routes of the inbox: the list, and beside it one conversation or the start of one.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";

const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "inbox",
  component: lazyRouteComponent(() => import("./inbox-page.tsx"), "InboxPage"),
});

const indexRoute = createRoute({
  getParentRoute: () => inboxRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./nothing-chosen.tsx"), "NothingChosen"),
});

const newRoute = createRoute({
  getParentRoute: () => inboxRoute,
  path: "new",
  component: lazyRouteComponent(() => import("./new-message-page.tsx"), "NewMessagePage"),
});

const newGroupRoute = createRoute({
  getParentRoute: () => inboxRoute,
  path: "new-group",
  component: lazyRouteComponent(() => import("./groups/new-group-page.tsx"), "NewGroupPage"),
});

/** `$conversation` is a conversation id of the messenger: a master key in hex, `group:<id>`, or `unknown:<x25519>`. */
const conversationRoute = createRoute({
  getParentRoute: () => inboxRoute,
  path: "$conversation",
  component: lazyRouteComponent(() => import("./chat-page.tsx"), "ChatPage"),
});

/** All routes of the feature. */
export const inboxRoutes = [inboxRoute.addChildren([indexRoute, newRoute, newGroupRoute, conversationRoute])] as const;
