// Where every view is on the seeded chain. A unit test compares this with the router's tree: a route without a place here fails it.
import { SETTINGS_SECTIONS } from "#renderer/features/settings/sections.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { seededPerson } from "./seeded-people.ts";

/** In a place, the id of a transaction of the own account: known once the chain is there. */
export const TRANSACTION = "{transaction}";

const PERSON = seededPerson(2).account.publicKey;

/** A chat. */
export const CHAT = `/inbox/${PERSON}`;

/** Addresses that show a view of each route; none for a route that shows nothing of its own. */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  // Leads to the inbox.
  "/": [],
  "/inbox": ["/inbox"],
  "/inbox/new": ["/inbox/new"],
  "/inbox/new-group": ["/inbox/new-group"],
  "/inbox/join": ["/inbox/join"],
  "/wallet": ["/wallet"],
  "/wallet/send": ["/wallet/send"],
  "/wallet/receive": ["/wallet/receive"],
  "/wallet/proof": ["/wallet/proof"],
  "/wallet/send-many": ["/wallet/send-many"],
  "/wallet/statement": ["/wallet/statement"],
  "/wallet/watched": ["/wallet/watched"],
  "/wallet/activity/$id": [`/wallet/activity/${TRANSACTION}`],
  "/wallet/tokens/$id": ["/wallet/tokens/seeds"],
  "/wallet/nfts/$id": ["/wallet/nfts/robins-plot"],
  "/wallet/channels": ["/wallet/channels"],
  "/wallet/assets": ["/wallet/assets"],
  "/wallet/escrow": ["/wallet/escrow"],
  "/wallet/multisig": ["/wallet/multisig"],
  "/contacts": ["/contacts"],
  "/contacts/new": ["/contacts/new"],
  "/contacts/invite": ["/contacts/invite"],
  "/contacts/requests": ["/contacts/requests"],
  "/contacts/$publicKey": [`/contacts/${PERSON}`],
  "/explorer": ["/explorer"],
  "/explorer/blocks": ["/explorer/blocks"],
  "/explorer/block/$height": ["/explorer/block/1"],
  "/explorer/tx/$id": [`/explorer/tx/${TRANSACTION}`],
  // Leads to the short form.
  "/explorer/transaction/$id": [],
  "/explorer/address/$account": [`/explorer/address/${PERSON}`],
  "/explorer/validators": ["/explorer/validators"],
  "/explorer/relays": ["/explorer/relays"],
  "/explorer/contracts": ["/explorer/contracts"],
  "/explorer/deploy": ["/explorer/deploy"],
  "/explorer/contract/$id": [`/explorer/contract/${nativeContractId("tokens")}`],
  "/explorer/tokens": ["/explorer/tokens"],
  "/explorer/token/$id": ["/explorer/token/seeds"],
  "/explorer/nfts": ["/explorer/nfts"],
  "/explorer/nft/$id": ["/explorer/nft/robins-plot"],
  "/explorer/search": ["/explorer/search?q=nothing+of+that+name"],
  "/node": ["/node"],
  "/node/validator": ["/node/validator"],
  "/node/relay": ["/node/relay"],
  "/node/diagnostics": ["/node/diagnostics"],
  "/settings": ["/settings"],
  // The desktop's section is empty without a shell: desktop-node.test.ts opens it with one.
  "/settings/$section": SETTINGS_SECTIONS.filter((section) => section !== "desktop").map((section) => `/settings/${section}`),
  // Last of the inbox: where a chat is open, the inbox leads back to it.
  "/inbox/$conversation": [CHAT],
  // What is at no address.
  "/$": ["/no/such/view"],
};

export const VIEWS: readonly string[] = Object.values(PLACES).flat();
