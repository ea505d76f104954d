// What a client gets that names no limit, and what it relies on: changes of these are changes of the public interface.
import { expect, it } from "vitest";
import { api } from "#shared/api/api.ts";
import { CLAMP_KEYWORD } from "#shared/api/endpoint.ts";
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
    listContracts: [100, 500],
    listInbox: [50, 500],
    listNfts: [100, 1000],
    listNftsOfOwner: [100, 1000],
    listRecentTransactions: [20, 100],
    listRelays: [1000, 1000],
    listSentContacts: [5000, 5000],
    listTokens: [100, 1000],
    listValidatorProposals: [100, 500],
    search: [10, 50],
  });
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
