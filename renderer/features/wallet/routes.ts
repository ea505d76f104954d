// Routes of the wallet: overview, send and receive.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/routing/shell-route.ts";

/** What the send view is opened with. */
export interface SendSearch {
  /** Address or hex key of the recipient. */
  readonly to?: string;
  /** Amount in T as typed. */
  readonly amount?: string;
}

const walletRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "wallet",
  component: lazyRouteComponent(() => import("./wallet-page.tsx"), "WalletPage"),
});

const sendRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "wallet/send",
  validateSearch: (search: Record<string, unknown>): SendSearch => ({
    ...(typeof search.to === "string" && { to: search.to }),
    ...((typeof search.amount === "string" || typeof search.amount === "number") && { amount: String(search.amount) }),
  }),
  component: lazyRouteComponent(() => import("./wallet-page.tsx"), "WalletPage"),
});

const receiveRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "wallet/receive",
  component: lazyRouteComponent(() => import("./wallet-page.tsx"), "WalletPage"),
});

/** All routes of the feature. */
export const walletRoutes = [walletRoute, sendRoute, receiveRoute] as const;
