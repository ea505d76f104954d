// Schemas of search results, grouped by what was found.
import type { Static } from "typebox";
import * as Type from "typebox";
import { BlockSummary, TransactionEntry, ValidatorRecord } from "./chain.ts";
import { RegisteredRelay } from "./nodes.ts";
import { AmountUt, Count, Height, PublicKey, WalletAddress } from "./primitives.ts";

export const FoundAccount = Type.Object(
  { pub_key: PublicKey, address: WalletAddress, nickname: Type.String(), username: Type.String(), balance_ut: AmountUt, tx_count: Count },
  { title: "FoundAccount" },
);
export const FoundUsername = Type.Object(
  { username: Type.String(), pub_key: PublicKey, address: WalletAddress },
  { title: "FoundUsername" },
);
export const FoundContract = Type.Object(
  { contract_id: Type.String(), name: Type.String(), version: Type.String(), deployed_at: Height },
  { title: "FoundContract" },
);
export const FoundToken = Type.Object({ token_id: Type.String(), name: Type.String(), symbol: Type.String() }, { title: "FoundToken" });
export const FoundNft = Type.Object(
  { nft_id: Type.String(), name: Type.String(), owner_pub: PublicKey, owner_addr: WalletAddress },
  { title: "FoundNft" },
);

export const SearchResult = Type.Object(
  {
    query: Type.String({ description: "What was searched for, without blanks around it" }),
    count: Type.Integer({ minimum: 0, description: "Hits of all groups" }),
    blocks: Type.Array(BlockSummary, { description: "By height or hash" }),
    transactions: Type.Array(TransactionEntry, { description: "By id" }),
    accounts: Type.Array(FoundAccount, { description: "By address, or by hex key when the chain knows it" }),
    usernames: Type.Array(FoundUsername, { description: "By their beginning, with or without @" }),
    contracts: Type.Array(FoundContract, { description: "By id, or by the beginning of the name" }),
    tokens: Type.Array(FoundToken, { description: "By the beginning of the id" }),
    nfts: Type.Array(FoundNft, { description: "By the beginning of the id" }),
    relays: Type.Array(RegisteredRelay, { description: "By address or hex key" }),
    validators: Type.Array(ValidatorRecord, { description: "By address or hex key" }),
  },
  { title: "SearchResult" },
);

export type SearchResult = Static<typeof SearchResult>;
