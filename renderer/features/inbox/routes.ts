// Routes of the inbox: the list, and beside it one conversation or the start of one.
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";
import { viewRoute } from "#renderer/lib/browser/view-route.ts";

const inboxRoute = viewRoute(shellRoute, "inbox", () => import("./inbox-page.tsx"), "InboxPage");

export const inboxRoutes = [
  inboxRoute.addChildren([
    viewRoute(inboxRoute, "/", () => import("./nothing-chosen.tsx"), "NothingChosen"),
    viewRoute(inboxRoute, "new", () => import("./new-message-page.tsx"), "NewMessagePage"),
    viewRoute(inboxRoute, "new-group", () => import("./groups/new-group-page.tsx"), "NewGroupPage"),
    viewRoute(inboxRoute, "join", () => import("./groups/links/join-page.tsx"), "JoinPage"),
    // `$conversation` is a conversation id of the messenger: a master key in hex, `group:<id>`, or `unknown:<x25519>`.
    viewRoute(inboxRoute, "$conversation", () => import("./chat-page.tsx"), "ChatPage"),
  ]),
] as const;
