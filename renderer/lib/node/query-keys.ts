// Keys of everything that is cached from the node. One factory, so that live updates reach every view.

/** Keys by what they hold. A shorter key covers all that begin with it. */
export const queryKeys = {
  status: ["status"] as const,
  keptHistory: ["kept-history"] as const,
  networkInfo: ["network-info"] as const,
  leastFee: ["least-fee"] as const,
  parameters: ["parameters"] as const,
  version: ["version"] as const,
  netstats: ["netstats"] as const,
  validators: ["validators"] as const,
  proposals: ["validators", "proposals"] as const,
  relays: ["relays"] as const,
  peers: ["peers"] as const,
  chart: (resolution: string) => ["charts", resolution] as const,
  allContracts: ["contracts"] as const,
  contractList: ["contracts", "list"] as const,
  contract: (id: string) => ["contracts", "one", id] as const,
  contractLogs: (id: string, event: string) => ["contracts", "one", id, "logs", event] as const,
  contractPublished: (id: string) => ["contracts", "one", id, "published"] as const,
  contractState: (id: string, key: string) => ["contracts", "one", id, "state", key] as const,
  /** Lines of a native contract, from which lists of an account are read. */
  contractLines: (id: string) => ["contracts", "one", id, "lines"] as const,
  tokenList: ["contracts", "tokens"] as const,
  token: (id: string) => ["contracts", "tokens", id] as const,
  tokenBalance: (id: string, publicKey: string) => ["contracts", "tokens", id, "balance", publicKey] as const,
  allowance: (id: string, owner: string, spender: string) => ["contracts", "tokens", id, "allowance", owner, spender] as const,
  nft: (id: string) => ["contracts", "nfts", id] as const,
  nftsOfOwner: (publicKey: string) => ["contracts", "nfts", "owner", publicKey] as const,
  channels: (publicKey: string) => ["accounts", publicKey, "channels"] as const,
  validatorBond: ["validator-bond"] as const,
  allNodeStats: ["node-stats"] as const,
  nodeStats: (publicKey: string) => ["node-stats", publicKey] as const,
  username: (publicKey: string) => ["contracts", "usernames", "of", publicKey] as const,
  usernameOwner: (name: string) => ["contracts", "usernames", "owner", name] as const,
  allBlocks: ["blocks"] as const,
  blockList: ["blocks", "list"] as const,
  block: (index: number) => ["blocks", "one", index] as const,
  allTransactions: ["transactions"] as const,
  recentTransactions: ["transactions", "recent"] as const,
  transaction: (id: string) => ["transactions", "one", id] as const,
  allAccounts: ["accounts"] as const,
  account: (publicKey: string) => ["accounts", publicKey] as const,
  accountBalance: (publicKey: string) => ["accounts", publicKey, "balance"] as const,
  accountHistory: (publicKey: string) => ["accounts", publicKey, "history"] as const,
  /** Not under the account: what is loaded stays, and only its newest page is renewed. */
  historyPages: (publicKey: string) => ["history-pages", publicKey] as const,
  identity: (publicKey: string) => ["accounts", publicKey, "identity"] as const,
  /** By the beginnings of the keys: they tell sets of people apart, and all of them would be a key of a hundred kilobytes. */
  names: (publicKeys: readonly string[]) => ["names", publicKeys.map((key) => key.slice(0, 12)).join("")] as const,
  devices: (publicKey: string) => ["accounts", publicKey, "devices"] as const,
  contacts: (publicKey: string) => ["accounts", publicKey, "contacts"] as const,
  sentContacts: (publicKey: string) => ["accounts", publicKey, "sent-contacts"] as const,
};

/** True for the key of the names of many. */
export function isNamesKey(key: readonly unknown[]): boolean {
  return key[0] === "names";
}

/** True for the key of an identity. */
export function isIdentityKey(key: readonly unknown[]): boolean {
  return key[0] === "accounts" && key[2] === "identity";
}
