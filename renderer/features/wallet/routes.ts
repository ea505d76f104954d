// Routes of the wallet: the overview, and over it sending, receiving, tokens, NFTs and one entry of the activity.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";
import { viewRoute } from "#renderer/lib/browser/view-route.ts";
import type { SendSearch } from "./send/send-search.ts";

const walletRoute = viewRoute(shellRoute, "wallet", () => import("./wallet-page.tsx"), "WalletPage");

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

export const walletRoutes = [
  // Payment channels: advanced, so a page of its own.
  viewRoute(shellRoute, "wallet/channels", () => import("./channels/channels-page.tsx"), "ChannelsPage"),
  viewRoute(shellRoute, "wallet/escrow", () => import("./escrow/escrow-page.tsx"), "EscrowPage"),
  viewRoute(shellRoute, "wallet/multisig", () => import("./multisig/multisig-page.tsx"), "MultisigPage"),
  viewRoute(shellRoute, "wallet/assets", () => import("./assets/assets-page.tsx"), "AssetsPage"),
  viewRoute(shellRoute, "wallet/watched", () => import("./watched/watched-page.tsx"), "WatchedPage"),
  walletRoute.addChildren([
    sendRoute,
    viewRoute(walletRoute, "receive", () => import("./receive-dialog.tsx"), "ReceiveDialog"),
    viewRoute(walletRoute, "statement", () => import("./activity/statement/statement-dialog.tsx"), "StatementDialog"),
    viewRoute(walletRoute, "send-many", () => import("./batch/batch-dialog.tsx"), "BatchDialog"),
    viewRoute(walletRoute, "proof", () => import("./activity/proof/proof-dialog.tsx"), "ProofDialog"),
    viewRoute(walletRoute, "activity/$id", () => import("./activity/activity-sheet.tsx"), "ActivitySheet"),
    // `$id` is the token's id.
    viewRoute(walletRoute, "tokens/$id", () => import("./assets/token-send-dialog.tsx"), "TokenSendDialog"),
    // `$id` is the NFT's id.
    viewRoute(walletRoute, "nfts/$id", () => import("./assets/nft-send-dialog.tsx"), "NftSendDialog"),
  ]),
] as const;

/** Numbers in an address bar are read as numbers: they are meant as text. */
function textOf<Name extends string>(name: Name, value: unknown): { readonly [N in Name]?: string } {
  return typeof value === "string" || typeof value === "number" ? ({ [name]: String(value) } as { readonly [N in Name]?: string }) : {};
}
