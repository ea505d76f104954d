// What a client gets that names no limit, and what it relies on: changes of these are changes of the public interface.
import { expect, it } from "vitest";
import { api } from "#shared/api/api.ts";
import { CLAMP_KEYWORD, listLimit } from "#shared/api/endpoint.ts";
import { LIST_PAGE } from "#shared/api/endpoints/contracts.ts";
import { RELAY_PAGE } from "#shared/api/endpoints/nodes.ts";
import { REQUIRED_FEATURES } from "#shared/api/version.ts";

it("lists have the default and the largest length of the specification", () => {
  const limits = Object.entries(api).flatMap(([operation, { query }]) => {
    const limit = (query as { readonly properties?: Record<string, Record<string, unknown>> }).properties?.limit;
    return limit === undefined ? [] : [[operation, [limit.default, limit[CLAMP_KEYWORD]]] as const];
  });
  expect(Object.fromEntries(limits)).toEqual({
    getAccountFeed: [100, 1000],
    getAddress: [50, 1000],
    getChart: [48, 720],
    listBlocks: [20, 100],
    listChannels: [50, 500],
    listContacts: [5000, 5000],
    listContractLogs: [50, 100],
    listContracts: [undefined, 500],
    listInbox: [50, 500],
    listNfts: [undefined, 1000],
    listNftsOfOwner: [undefined, 1000],
    listRecentTransactions: [20, 100],
    listRelays: [undefined, 10_000],
    listSentContacts: [5000, 5000],
    listTokens: [undefined, 1000],
    listTokensOfOwner: [undefined, 1000],
    listValidatorProposals: [100, 500],
    search: [10, 50],
  });
});

it("lists without a default come whole when they are asked for without parameters, and in pages after an item", () => {
  expect([
    listLimit({}, 100),
    listLimit({ after: "a" }, 100),
    listLimit({ limit: 7 }, 100),
    listLimit({ limit: 7, after: "a" }, 100),
  ]).toEqual([10_000, 100, 7, 7]);
  expect([LIST_PAGE, RELAY_PAGE]).toEqual([100, 1_000]);
});

it("nodes name the features that clients ask for", () => {
  expect(REQUIRED_FEATURES).toEqual([
    "chain_id",
    "feed_v2",
    "identity_registry",
    "media_scrub",
    "onboarding_api",
    "relay_broadcast",
    "relay_mailbox",
    "ws_submit_tx",
  ]);
});
