// Routes of the explorer: overview, all blocks, one block, one transaction, one account, validators, relays, contracts,
// tokens, NFTs, and a search that found nothing at once.
import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { shellRoute } from "#renderer/lib/browser/shell-route.ts";

/** What is searched for. */
export interface SearchQuery {
  readonly q: string;
}

const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer",
  component: lazyRouteComponent(() => import("./overview/overview-page.tsx"), "OverviewPage"),
});

const blocksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/blocks",
  component: lazyRouteComponent(() => import("./blocks/blocks-page.tsx"), "BlocksPage"),
});

const blockRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/block/$height",
  component: lazyRouteComponent(() => import("./blocks/block-page.tsx"), "BlockPage"),
});

const transactionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/tx/$id",
  component: lazyRouteComponent(() => import("./transactions/transaction-page.tsx"), "TransactionPage"),
});

/** The long form of the address of a transaction. */
const longTransactionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/transaction/$id",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/explorer/tx/$id", params, replace: true });
  },
});

/** `$account` is an address or a hex key. */
const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/address/$account",
  component: lazyRouteComponent(() => import("./accounts/account-page.tsx"), "AccountPage"),
});

const validatorsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/validators",
  component: lazyRouteComponent(() => import("./validators-page.tsx"), "ValidatorsPage"),
});

const relaysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/relays",
  component: lazyRouteComponent(() => import("./relays-page.tsx"), "RelaysPage"),
});

const contractsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/contracts",
  component: lazyRouteComponent(() => import("./contracts/contracts-page.tsx"), "ContractsPage"),
});

/** `$id` has 16 hex characters. */
const contractRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/contract/$id",
  component: lazyRouteComponent(() => import("./contracts/contract-page.tsx"), "ContractPage"),
});

const tokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/tokens",
  component: lazyRouteComponent(() => import("./assets/tokens-page.tsx"), "TokensPage"),
});

const tokenRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/token/$id",
  component: lazyRouteComponent(() => import("./assets/token-page.tsx"), "TokenPage"),
});

const nftsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/nfts",
  component: lazyRouteComponent(() => import("./assets/nfts-page.tsx"), "NftsPage"),
});

const nftRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/nft/$id",
  component: lazyRouteComponent(() => import("./assets/nft-page.tsx"), "NftPage"),
});

const searchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "explorer/search",
  validateSearch: (search: Record<string, unknown>): SearchQuery => ({
    q: typeof search.q === "string" || typeof search.q === "number" ? String(search.q) : "",
  }),
  component: lazyRouteComponent(() => import("./search/search-page.tsx"), "SearchPage"),
});

/** All routes of the feature. */
export const explorerRoutes = [
  overviewRoute,
  blocksRoute,
  blockRoute,
  transactionRoute,
  longTransactionRoute,
  accountRoute,
  validatorsRoute,
  relaysRoute,
  contractsRoute,
  contractRoute,
  tokensRoute,
  tokenRoute,
  nftsRoute,
  nftRoute,
  searchRoute,
] as const;
