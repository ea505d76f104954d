// Proofs of state and of transactions against signed blocks.
import * as Type from "typebox";
import { endpoint, NoBody, NoFields } from "../endpoint.ts";
import * as schema from "../schemas/proofs.ts";

const tag = "Proofs";
const pubkey = Type.String({ minLength: 1, description: "Wallet address or hex public key" });

export const proofEndpoints = {
  proveAccount: endpoint({
    method: "GET",
    path: "/api/proofs/account/:pubkey",
    tag,
    summary: "Proof of an account's balance and history count, or that it was never touched, as of the newest block",
    access: "read",
    params: Type.Object({ pubkey }),
    query: NoFields,
    body: NoBody,
    response: schema.StateProof,
    errors: [404],
  }),
  proveIdentity: endpoint({
    method: "GET",
    path: "/api/proofs/identity/:pubkey",
    tag,
    summary: "Proof of what a master key published, or that it published nothing, as of the newest block",
    access: "read",
    params: Type.Object({ pubkey }),
    query: NoFields,
    body: NoBody,
    response: schema.StateProof,
    errors: [404],
  }),
  proveContractState: endpoint({
    method: "GET",
    path: "/api/proofs/contract/:contractID/state/:key",
    tag,
    summary: "Proof of the value under a key of a contract's state, or that there is none, as of the newest block",
    access: "read",
    params: Type.Object({
      contractID: Type.String({ minLength: 1, description: "16 hex characters" }),
      key: Type.String({ minLength: 1, description: "Text; may contain colons" }),
    }),
    query: NoFields,
    body: NoBody,
    response: schema.StateProof,
    errors: [404],
  }),
  proveTransaction: endpoint({
    method: "GET",
    path: "/api/proofs/tx/:txid",
    tag,
    summary: "Proof that a transaction stands in a block, and of what it did there",
    access: "read",
    params: Type.Object({ txid: Type.String({ minLength: 1 }) }),
    query: NoFields,
    body: NoBody,
    response: schema.TransactionProof,
    errors: [404],
  }),
} as const;
