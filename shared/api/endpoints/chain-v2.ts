// The chain under /v2/chain: an ordered account feed, submission in several encodings, drafts to sign.
import * as Type from "typebox";
import { type EndpointGroup, endpoint, limitQuery, publicRead } from "../endpoint.ts";
import { Accepted } from "../schemas/chain.ts";
import * as schema from "../schemas/chain-v2.ts";

const tag = "Chain v2";

export const chainV2Endpoints = {
  getAccountFeed: publicRead({
    tag,
    summary: "Transactions of an account, oldest or newest first, between two blocks",
    heavy: "large",
    params: Type.Object({ account_id: Type.String({ minLength: 1, description: "Wallet address or hex public key" }) }),
    query: Type.Object({
      limit: limitQuery(100, 1000),
      order: Type.Optional(Type.Enum(["desc", "asc"], { default: "desc", description: "desc: newest first" })),
      after_block: Type.Optional(Type.Integer({ minimum: 0, description: "Only transactions of later blocks" })),
      before_block: Type.Optional(Type.Integer({ minimum: 0, description: "Only transactions of earlier blocks" })),
    }),
    response: schema.AccountFeed,
    errors: [404, 410],
  }),
  getChainTransaction: publicRead({
    tag,
    summary: "One transaction, in a block or waiting for one",
    cache: "transaction",
    params: Type.Object({ tx_id: Type.String({ minLength: 1 }) }),
    response: schema.ChainTransactionDetail,
    errors: [404, 410],
  }),
  submitChainTransaction: endpoint({
    tag,
    summary: "Submit a signed transaction as an object or in an encoding",
    access: "write",
    body: schema.ChainSubmission,
    response: Accepted,
    errors: [500, 503],
  }),
  draftTransaction: endpoint({
    tag,
    summary: "A transfer to sign, with the exact bytes to sign; nothing is submitted",
    access: "read",
    body: schema.DraftRequest,
    response: schema.Draft,
  }),
} as const satisfies EndpointGroup;
