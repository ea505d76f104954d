// Proofs of state and of transactions against signed blocks.
import * as Type from "typebox";
import { type EndpointGroup, publicRead } from "../endpoint.ts";
import * as schema from "../schemas/proofs.ts";

const tag = "Proofs";
const pubkey = Type.String({ minLength: 1, description: "Wallet address or hex public key" });

export const proofEndpoints = {
  proveAccount: publicRead({
    tag,
    summary: "Proof of an account's balance and history count, or that it was never touched, as of the newest block",
    params: Type.Object({ pubkey }),
    response: schema.StateProof,
    errors: [404],
  }),
  proveIdentity: publicRead({
    tag,
    summary: "Proof of what a master key published, or that it published nothing, as of the newest block",
    params: Type.Object({ pubkey }),
    response: schema.StateProof,
    errors: [404],
  }),
  proveContractState: publicRead({
    tag,
    summary: "Proof of the value under a key of a contract's state, or that there is none, as of the newest block",
    params: Type.Object({
      contractID: Type.String({ minLength: 1, description: "16 hex characters" }),
      key: Type.String({ minLength: 1, description: "Text; may contain colons" }),
    }),
    response: schema.StateProof,
    errors: [404],
  }),
  proveTransaction: publicRead({
    tag,
    summary: "Proof that a transaction stands in a block, and of what it did there",
    heavy: "always",
    params: Type.Object({ txid: Type.String({ minLength: 1 }) }),
    response: schema.TransactionProof,
    errors: [404, 410],
  }),
  proveBlock: publicRead({
    tag,
    summary: "Header of a block with the signatures of the validators, and their set",
    params: Type.Object({ index: Type.Integer({ minimum: 0 }) }),
    response: schema.ProvenBlock,
    errors: [404, 410],
  }),
} as const satisfies EndpointGroup;
