// Verb and path of every operation: the only place where they are written. It has no schemas, so that page and command line can load
// it; the endpoint table, and through it server, document and light node, take operations and paths from here.

/** Verbs in use. */
export const HTTP_METHODS = ["GET", "POST", "PUT", "DELETE"] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** What a request of an operation starts with; `:name` in a path is a parameter. */
export type Route = readonly [method: HttpMethod, path: `/${string}`];

/** Routes by operation id. Lists of operations that a node reports have this order. */
export const ROUTES = {
  getNetstats: ["GET", "/api/netstats"],
  getChart: ["GET", "/api/charts"],
  listBlocks: ["GET", "/api/blocks"],
  getBlock: ["GET", "/api/block/:index"],
  getBlockByHash: ["GET", "/api/block/hash/:hash"],
  listRecentTransactions: ["GET", "/api/txs/recent"],
  getTransaction: ["GET", "/api/tx/:txid"],
  submitTransaction: ["POST", "/api/tx"],
  getAddress: ["GET", "/api/address/:addr"],
  getIdentity: ["GET", "/api/identity/:pubkey"],
  listIdentities: ["POST", "/api/identities"],
  listDevices: ["GET", "/api/devices/:master_pub"],
  listDevicesOfMany: ["POST", "/api/devices"],
  getAccountFeed: ["GET", "/v2/chain/accounts/:account_id/transactions"],
  getChainTransaction: ["GET", "/v2/chain/transactions/:tx_id"],
  submitChainTransaction: ["POST", "/v2/chain/transactions"],
  draftTransaction: ["POST", "/v2/chain/transactions/draft"],
  sendMessage: ["POST", "/relay/send"],
  broadcastEnvelope: ["POST", "/relay/broadcast"],
  broadcastEnvelopes: ["POST", "/relay/broadcast/batch"],
  holdMail: ["POST", "/relay/held"],
  withdrawMail: ["POST", "/relay/held/withdraw"],
  openBox: ["POST", "/relay/box"],
  getBox: ["GET", "/relay/box"],
  listBoxes: ["POST", "/relay/boxes"],
  putCard: ["PUT", "/relay/cards/:device"],
  getCard: ["GET", "/relay/cards/:device"],
  listInbox: ["GET", "/relay/inbox"],
  countInbox: ["GET", "/relay/inbox/count"],
  deleteEnvelope: ["DELETE", "/relay/inbox/:envID"],
  deleteEnvelopes: ["POST", "/relay/inbox/delete"],
  listContacts: ["GET", "/relay/contacts"],
  listSentContacts: ["GET", "/relay/contacts/sent"],
  listContracts: ["GET", "/api/contracts"],
  getContract: ["GET", "/api/contracts/:contractID"],
  getContractState: ["GET", "/api/contracts/:contractID/state/:key"],
  listContractLogs: ["GET", "/api/contracts/:contractID/logs"],
  callView: ["POST", "/api/contracts/:contractID/call"],
  estimateCall: ["POST", "/api/contracts/:contractID/estimate"],
  estimateDeployment: ["POST", "/api/deployments/estimate"],
  listWellKnownContracts: ["GET", "/api/well-known-contracts"],
  listTokens: ["GET", "/api/tokens"],
  getToken: ["GET", "/api/tokens/:id"],
  getTokenBalance: ["GET", "/api/tokens/:id/balance/:pubkey"],
  listTokensOfOwner: ["GET", "/api/tokens/owner/:pubkey"],
  listNfts: ["GET", "/api/nfts"],
  getNft: ["GET", "/api/nfts/:id"],
  listNftsOfOwner: ["GET", "/api/nfts/owner/:pubkey"],
  listChannels: ["GET", "/api/channels"],
  getChannel: ["GET", "/api/channels/:channel_id"],
  getNodeStats: ["GET", "/api/node/:pubkey"],
  getKeptHistory: ["GET", "/api/node/history"],
  requestDuty: ["POST", "/api/node/duties"],
  readRate: ["POST", "/api/node/rate"],
  readPage: ["POST", "/api/node/page"],
  openCallRelay: ["POST", "/api/calls/relay"],
  listRelays: ["GET", "/api/relays"],
  listValidators: ["GET", "/api/validators"],
  listValidatorProposals: ["GET", "/api/validators/proposals"],
  getParams: ["GET", "/api/params"],
  proveAccount: ["GET", "/api/proofs/account/:pubkey"],
  proveIdentity: ["GET", "/api/proofs/identity/:pubkey"],
  proveContractState: ["GET", "/api/proofs/contract/:contractID/state/:key"],
  proveTransaction: ["GET", "/api/proofs/tx/:txid"],
  proveBlock: ["GET", "/api/proofs/block/:index"],
  getNetworkInfo: ["GET", "/api/network-info"],
  getGenesis: ["GET", "/api/genesis"],
  getVersion: ["GET", "/api/well-known-version"],
  listPeers: ["GET", "/api/peers"],
  checkForUpdate: ["GET", "/api/update-check"],
  getStatus: ["GET", "/api/status"],
  requestFaucet: ["POST", "/api/dev/faucet"],
  search: ["GET", "/api/search"],
} as const satisfies Readonly<Record<string, Route>>;

/** An operation id. */
export type Operation = keyof typeof ROUTES;

/** Names of the parameters in an operation's path. */
export type PathParam<K extends Operation> = ParamOf<(typeof ROUTES)[K][1]>;
type ParamOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** Path of the WebSocket. */
export const SOCKET_PATH = "/api/ws";

/** First parts of all paths, as `/api`: what a server before the node passes on to it. */
export function pathRoots(): readonly string[] {
  return [...new Set(Object.values(ROUTES).map(([, path]) => `/${path.split("/")[1]}`))];
}
