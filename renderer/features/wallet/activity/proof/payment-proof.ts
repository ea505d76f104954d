// Proofs of payment in a page: made of what the node serves, checked with nothing but the genesis of the own network.
import type { NodeClient } from "#shared/api/client.ts";
import { parseGenesis } from "#shared/protocol/chain/genesis.ts";
import { makePaymentProof } from "#shared/protocol/light/make-payment-proof.ts";
import { MAX_PAYMENT_PROOF_BYTES } from "#shared/protocol/light/payment-proof-file.ts";
import { type ProofResult, type ProofRules, verifyPaymentProof } from "#shared/protocol/light/verify-payment-proof.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";

/** The text of the file for a payment, or why there is none. @throws CodedError where the node serves too little. */
export async function makeProof(client: NodeClient, id: string): ReturnType<typeof makePaymentProof> {
  const [genesis, payment] = await Promise.all([client.getGenesis({}), client.proveTransaction({ txid: id })]);
  return await makePaymentProof({ genesis, payment, proveBlock: (index) => client.proveBlock({ index }) }, rules());
}

/** Whether a file proves a payment on the network of a genesis. What is too large is not read. */
export async function checkProof(file: File, genesis: unknown): Promise<ProofResult> {
  if (file.size > MAX_PAYMENT_PROOF_BYTES) return { isProven: false, problem: "tooLarge" };
  return await verifyPaymentProof(await file.text(), { kind: "genesis", genesis: parseGenesis(genesis) }, rules());
}

/** Signatures take about a millisecond each: between two blocks the page draws. */
function rules(): ProofRules {
  const pause = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve));
  return { verify: verifyZip215, hash: sha256, nowMs: Date.now(), pause };
}
