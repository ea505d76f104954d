// Contradicting messages as consensus finds them, in the form in which the chain takes them.
import type { Evidence } from "#node/consensus/effects.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { Equivocation, Misconduct } from "#shared/protocol/transactions/payload.ts";
import { toBase64 } from "#shared/util/bytes.ts";

/**
 * What a SLASH proves of the evidence; `validators` is the set of its height. Undefined when the chain would not punish it: proposals
 * of the same block with two valid rounds name no two blocks.
 */
export function equivocationOf(evidence: Evidence, validators: ValidatorSet): Equivocation | undefined {
  const { height, round, validatorIndex } = evidence.first;
  const validator = validators[validatorIndex];
  if (validator === undefined || evidence.first.blockHash === evidence.second.blockHash) return undefined;
  const slot = { validator_pub: validator.publicKey, height, round };
  if (evidence.type === "proposal") {
    const [first, second] = [evidence.first, evidence.second].map(({ blockHash, validRound, signature }) => ({
      block_hash: blockHash,
      valid_round: validRound,
      signature: toBase64(signature),
    }));
    return first === undefined || second === undefined ? undefined : { ...slot, step: "proposal", first, second };
  }
  const [first, second] = [evidence.first, evidence.second].map(({ blockHash, signature }) => ({
    block_hash: blockHash,
    signature: toBase64(signature),
  }));
  return first === undefined || second === undefined ? undefined : { ...slot, step: evidence.first.type, first, second };
}

/** Names an offence: a validator contradicts itself once a height, round and step, and with false headers once a height. */
export function offenceName({ validator_pub, height, round, step }: Misconduct): string {
  return `${validator_pub}/${height}/${step === "header" ? 0 : round}/${step}`;
}
