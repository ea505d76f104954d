// What a light node's answers are worth, by operation of the public interface; docs/light.md has the table. What is in neither list is proven.
import type { Operation } from "#shared/api/api.ts";

/** Figures that another node tells and nobody proves; the other fields of the answers are proven. */
export const TOLD_OPERATIONS: readonly Operation[] = ["getNetstats", "getChart", "getNodeStats"];

/** Lists whose items are proven each, while another node says which there are. */
export const TOLD_LISTS: readonly Operation[] = [
  "listContacts",
  "listSentContacts",
  "listContracts",
  "listContractLogs",
  "listWellKnownContracts",
  "listTokens",
  "listNfts",
  "listNftsOfOwner",
  "listChannels",
  "listRelays",
  "listValidatorProposals",
  "getNetworkInfo",
  "search",
];
