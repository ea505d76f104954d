// Proofs of accounts, identities, values of contracts and transactions.

import type { Awaitable } from "#node/queries/awaitable.ts";
import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Handlers } from "../../handler-types.ts";
import { accountOfPath } from "../account-param.ts";

type ProofHandlers = Pick<Handlers, "proveAccount" | "proveIdentity" | "proveContractState" | "proveTransaction" | "proveBlock">;

export function createProofHandlers({ proofs }: Pick<ReadQueries, "proofs">): ProofHandlers {
  return {
    proveAccount: ({ pubkey }) => proofs.account(accountOfPath(pubkey)),
    proveIdentity: ({ pubkey }) => proofs.identity(accountOfPath(pubkey)),
    proveContractState: ({ contractID, key }): Awaitable<Output<"proveContractState">> => {
      if (!isContractId(contractID)) throw new CodedError("NOT_FOUND", "A contract id has 16 hex characters");
      return proofs.contractState(contractID.toLowerCase(), key);
    },
    proveTransaction: async ({ txid }): Promise<Output<"proveTransaction">> => {
      const proof = await proofs.transaction(txid);
      if (proof === undefined) throw new CodedError("NOT_FOUND", "No block holds a transaction with this id");
      return proof;
    },
    proveBlock: async ({ index }): Promise<Output<"proveBlock">> => {
      const block = await proofs.block(index);
      if (block === undefined) throw new CodedError("NOT_FOUND", `There is no block ${index} yet`);
      return block;
    },
  };
}
