// Routes of the explorer: overview, all blocks, one block, one transaction, one account, validators, relays, contracts,
// tokens, NFTs, and a search that found nothing at once.
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";
import { viewRoute } from "#renderer/lib/browser/view-route.ts";

export interface SearchQuery {
  readonly q: string;
}

/** The long form of the address of a transaction. */
const longTransactionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/transaction/$id",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/explorer/tx/$id", params, replace: true });
  },
});

const searchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/search",
  validateSearch: (search: Record<string, unknown>): SearchQuery => ({
    q: typeof search.q === "string" || typeof search.q === "number" ? String(search.q) : "",
  }),
  component: lazyRouteComponent(() => import("./search/search-page.tsx"), "SearchPage"),
});

export const explorerRoutes = [
  viewRoute(shellRoute, "explorer", () => import("./overview/overview-page.tsx"), "OverviewPage"),
  viewRoute(shellRoute, "explorer/blocks", () => import("./blocks/blocks-page.tsx"), "BlocksPage"),
  viewRoute(shellRoute, "explorer/block/$height", () => import("./blocks/block-page.tsx"), "BlockPage"),
  viewRoute(shellRoute, "explorer/tx/$id", () => import("./transactions/transaction-page.tsx"), "TransactionPage"),
  longTransactionRoute,
  // `$account` is an address or a hex key.
  viewRoute(shellRoute, "explorer/address/$account", () => import("./accounts/account-page.tsx"), "AccountPage"),
  viewRoute(shellRoute, "explorer/validators", () => import("./validators/validators-page.tsx"), "ValidatorsPage"),
  viewRoute(shellRoute, "explorer/relays", () => import("./relays-page.tsx"), "RelaysPage"),
  viewRoute(shellRoute, "explorer/contracts", () => import("./contracts/contracts-page.tsx"), "ContractsPage"),
  viewRoute(shellRoute, "explorer/deploy", () => import("./deploy/deploy-page.tsx"), "DeployPage"),
  // `$id` has 16 hex characters.
  viewRoute(shellRoute, "explorer/contract/$id", () => import("./contracts/contract-page.tsx"), "ContractPage"),
  viewRoute(shellRoute, "explorer/tokens", () => import("./assets/tokens-page.tsx"), "TokensPage"),
  viewRoute(shellRoute, "explorer/token/$id", () => import("./assets/token-page.tsx"), "TokenPage"),
  viewRoute(shellRoute, "explorer/nfts", () => import("./assets/nfts-page.tsx"), "NftsPage"),
  viewRoute(shellRoute, "explorer/nft/$id", () => import("./assets/nft-page.tsx"), "NftPage"),
  searchRoute,
] as const;
