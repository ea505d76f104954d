// A validator's vote to suspend a relay, as node and signer both make it: of what the node sends, the transaction follows. It moves nothing,
// offers no fee, and speaks of two digests that the relay itself has signed.

import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { DigestContradiction, DigestStatement } from "#shared/protocol/transactions/payload.ts";
import type { UnsignedTransaction } from "#shared/protocol/transactions/transaction.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import type { Ballot } from "./messages.ts";

type Statement = Ballot["first"];

/** What a node sends to its signer. */
export function ballotOf(
  { relay_pub: relay, slot, version, first, second }: DigestContradiction,
  { timeS, salt }: Pick<Ballot, "timeS" | "salt">,
): Ballot {
  const statementOf = ({ signature, ...content }: DigestStatement): Statement => ({ ...content, signature: fromBase64(signature) });
  return { relay, slot, version, first: statementOf(first), second: statementOf(second), timeS, salt };
}

/** The vote of a validator on a chain, not signed yet. */
export function voteOf(chainId: string, validator: PublicKeyHex, ballot: Ballot): UnsignedTransaction {
  const { relay, slot, version, first, second, timeS, salt } = ballot;
  const contentOf = ({ signature, ...content }: Statement): DigestStatement => ({ ...content, signature: toBase64(signature) });
  const evidence: DigestContradiction = { relay_pub: relay, slot, version, first: contentOf(first), second: contentOf(second) };
  return buildTransaction(
    { type: "SUSPEND_RELAY", from: validator, fee: 0, payload: { evidence } },
    { chainId, nowMs: timeS * 1_000, random: () => salt },
  );
}
