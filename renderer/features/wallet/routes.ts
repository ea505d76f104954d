// Routes of the wallet: the overview, and over it sending, receiving, tokens, NFTs and one entry of the activity.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";
import type { SendSearch } from "./send/send-search.ts";

const walletRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "wallet",
  component: lazyRouteComponent(() => import("./wallet-page.tsx"), "WalletPage"),
});

const sendRoute = createRoute({
  getParentRoute: () => walletRoute,
  path: "send",
  validateSearch: (search: Record<string, unknown>): SendSearch => ({
    ...textOf("to", search.to),
    ...textOf("amount", search.amount),
    ...textOf("memo", search.memo),
  }),
  component: lazyRouteComponent(() => import("./send/send-dialog.tsx"), "SendDialog"),
});

const receiveRoute = createRoute({
  getParentRoute: () => walletRoute,
  path: "receive",
  component: lazyRouteComponent(() => import("./receive-dialog.tsx"), "ReceiveDialog"),
});

const activityRoute = createRoute({
  getParentRoute: () => walletRoute,
  path: "activity/$id",
  component: lazyRouteComponent(() => import("./activity/activity-sheet.tsx"), "ActivitySheet"),
});

/** `$id` is the token's id. */
const tokenRoute = createRoute({
  getParentRoute: () => walletRoute,
  path: "tokens/$id",
  component: lazyRouteComponent(() => import("./assets/token-send-dialog.tsx"), "TokenSendDialog"),
});

/** `$id` is the NFT's id. */
const nftRoute = createRoute({
  getParentRoute: () => walletRoute,
  path: "nfts/$id",
  component: lazyRouteComponent(() => import("./assets/nft-send-dialog.tsx"), "NftSendDialog"),
});

/** Payment channels: advanced, so a page of its own. */
const channelsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "wallet/channels",
  component: lazyRouteComponent(() => import("./channels/channels-page.tsx"), "ChannelsPage"),
});

/** All routes of the feature. */
export const walletRoutes = [
  channelsRoute,
  walletRoute.addChildren([sendRoute, receiveRoute, activityRoute, tokenRoute, nftRoute]),
] as const;

/** Numbers in an address bar are read as numbers: they are meant as text. */
function textOf<Name extends string>(name: Name, value: unknown): { readonly [N in Name]?: string } {
  return typeof value === "string" || typeof value === "number" ? ({ [name]: String(value) } as { readonly [N in Name]?: string }) : {};
}
