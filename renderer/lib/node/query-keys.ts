// Keys of everything that is cached from the node. One factory, so that live updates reach every view.

/** Keys by what they hold. A shorter key covers all that begin with it. */
export const queryKeys = {
  status: ["status"] as const,
  networkInfo: ["network-info"] as const,
  version: ["version"] as const,
  netstats: ["netstats"] as const,
  validators: ["validators"] as const,
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
  identity: (publicKey: string) => ["accounts", publicKey, "identity"] as const,
  devices: (publicKey: string) => ["accounts", publicKey, "devices"] as const,
  contacts: (publicKey: string) => ["accounts", publicKey, "contacts"] as const,
  sentContacts: (publicKey: string) => ["accounts", publicKey, "sent-contacts"] as const,
};
