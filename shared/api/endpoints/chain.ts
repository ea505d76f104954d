// Explorer and chain reads, submission of transactions.
import * as Type from "typebox";
import { type EndpointGroup, endpoint, limitQuery, listQuery, publicRead } from "../endpoint.ts";
import * as schema from "../schemas/chain.ts";
import { NetworkParameters } from "../schemas/params.ts";

const tag = "Chain";
const account = Type.String({ minLength: 1, description: "Wallet address or hex public key" });

export const chainEndpoints = {
  getNetstats: publicRead({ tag, summary: "Network statistics", unverified: "figures", cache: "block", response: schema.NetworkStats }),
  getChart: publicRead({
    tag,
    summary: "Blocks, transactions and fees by the hour or the day, oldest first, up to the newest block",
    unverified: "figures",
    heavy: "always",
    cache: "block",
    query: Type.Object({
      resolution: Type.Optional(Type.Enum([...schema.CHART_RESOLUTIONS], { default: "hour", description: "Length of a bucket, UTC" })),
      limit: limitQuery(48, 720),
    }),
    response: schema.Chart,
  }),
  listBlocks: publicRead({
    tag,
    summary: "Newest blocks first",
    cache: "block",
    query: Type.Object({
      limit: limitQuery(20, 100),
      before: Type.Optional(Type.Integer({ minimum: 0, description: "Only blocks below this height" })),
    }),
    response: Type.Array(schema.BlockSummary),
    errors: [410],
  }),
  getBlock: publicRead({
    tag,
    summary: "One block",
    heavy: "always",
    params: Type.Object({ index: Type.Integer({ minimum: 0 }) }),
    response: schema.BlockDetail,
    errors: [404, 410],
  }),
  getBlockByHash: publicRead({
    tag,
    summary: "One block by its hash",
    heavy: "always",
    params: Type.Object({ hash: Type.String({ minLength: 1, description: "64 hex characters" }) }),
    response: schema.BlockDetail,
    errors: [404, 410],
  }),
  listRecentTransactions: publicRead({
    tag,
    summary: "Newest transactions first",
    cache: "block",
    query: Type.Object({ limit: limitQuery(20, 100) }),
    response: Type.Array(schema.TransactionEntry),
  }),
  getTransaction: publicRead({
    tag,
    summary: "One transaction, in a block or waiting for one",
    cache: "transaction",
    params: Type.Object({ txid: Type.String({ minLength: 1 }) }),
    response: schema.KnownTransaction,
    errors: [404, 410],
  }),
  submitTransaction: endpoint({
    tag,
    summary: "Submit a signed transaction",
    access: "write",
    body: schema.SubmittedTransaction,
    response: schema.Accepted,
    errors: [500, 503],
  }),
  getAddress: publicRead({
    tag,
    summary: "Balance and history of an account, newest first",
    heavy: "large",
    cache: "block",
    params: Type.Object({ addr: account }),
    query: Type.Object({ limit: limitQuery(50, 1000), offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })) }),
    response: schema.AddressDetail,
    errors: [404],
  }),
  getIdentity: publicRead({
    tag: "Identity",
    summary: "Identity of a master key",
    params: Type.Object({ pubkey: account }),
    response: schema.IdentityInfo,
    errors: [404],
  }),
  listIdentities: endpoint({
    tag: "Identity",
    summary: "Identities of many master keys at once, in the order of the keys; ones that published nothing say so",
    access: "read",
    heavy: "large",
    body: schema.IdentitiesRequest,
    response: schema.IdentityList,
  }),
  listDevices: publicRead({
    tag: "Identity",
    summary: "Active devices of a master key",
    params: Type.Object({ master_pub: account }),
    response: schema.DeviceList,
  }),
  listDevicesOfMany: endpoint({
    tag: "Identity",
    summary: "Active devices of many master keys at once, in the order of the keys",
    access: "read",
    body: schema.DevicesRequest,
    response: schema.DeviceLists,
  }),
  listValidators: publicRead({ tag, summary: "The validator set", cache: "block", response: schema.ValidatorList }),
  listValidatorProposals: publicRead({
    tag,
    summary: "Changes of the validator set that wait for approvals; `after` takes action and key of the last one, as add:<key>",
    unverified: "completeness",
    heavy: "always",
    query: listQuery(100, 500),
    response: schema.ValidatorProposalList,
  }),
  getParams: publicRead({
    tag,
    summary: "Parameters and version of the network, the approved change that waits, and changes that wait for approvals",
    cache: "block",
    response: NetworkParameters,
  }),
} as const satisfies EndpointGroup;
