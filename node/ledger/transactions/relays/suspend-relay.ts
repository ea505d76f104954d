// SUSPEND_RELAY: shows two digests of a slot that a keeper signed and that contradict each other. A validator's is its vote: more than two
// thirds of the set suspend the relay, which keeps no mail for thirty days. Anyone else only shows the validators what they can check.
import { isQuorum } from "#shared/protocol/chain/validators.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { areDifferent, digestSignBytes, digestsOf } from "#shared/protocol/keepers/kept-digest.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { DIGEST_VERSION_S, LIE_LIFETIME_S, SUSPENSION_S, SUSPENSION_VERSION, TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import type { DigestContradiction, DigestStatement } from "#shared/protocol/transactions/payload.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import type { TransactionContext } from "../../context.ts";
import { readKeeper } from "../../records/keeper-records.ts";
import { readValidators } from "../../records/records.ts";
import { readSuspension, type SuspensionVote, writeSuspension } from "../../records/suspension-records.ts";
import type { StateReader } from "../../state-view.ts";
import { type FieldRule, hexField, integerField, objectField, signatureField } from "../payload-fields.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";

/** Clocks of keepers may be ahead of the block's by as much as those of senders. */
const CLOCK_SKEW_S = TX_WINDOW_MS / 1_000;

const contentField = objectField<DigestStatement>({
  count: integerField(0, Number.MAX_SAFE_INTEGER),
  fingerprint: hexField(32, "a fingerprint"),
  signature: signatureField(),
});
const fieldsOfEvidence = objectField<DigestContradiction>({
  relay_pub: hexField(32, "an Ed25519 key"),
  slot: integerField(0, KEEPER_RULES.slots - 1),
  version: integerField(0, Math.floor(Number.MAX_SAFE_INTEGER / DIGEST_VERSION_S)),
  first: contentField,
  second: contentField,
});
const evidenceField: FieldRule<DigestContradiction> = {
  isRequired: true,
  words: "two digests of one relay, slot and version that differ",
  read: (value) => {
    const evidence = fieldsOfEvidence.read(value);
    return evidence !== undefined && areDifferent(evidence.first, evidence.second) ? evidence : undefined;
  },
};

export const suspendRelay: TransactionRule<"SUSPEND_RELAY"> = {
  recipient: "none",
  minimumAmountUt: "none",
  sinceVersion: SUSPENSION_VERSION,
  fields: { evidence: evidenceField },
  // A validator whose earnings go to a wallet has no money of its own. Each has one free vote about a relay in a week.
  isFeeWaived: (state, { from }) => isMember(state, from),
  signatures: (_tx, { evidence }, chainId) =>
    digestsOf(evidence).map((digest) => ({
      signature: fromBase64(digest.signature),
      message: digestSignBytes(chainId, digest),
      publicKey: fromHex(digest.keeper),
    })),
  failure: (state, { from }, { evidence }, context) => suspensionFailure(state, from, evidence, context),
  apply: (view, { from }, { evidence: { relay_pub: relay } }, context) => {
    if (isMember(view, from)) {
      const now = blockSeconds(context);
      const votes = [...membersVotes(view, relay, context), { voter: from, at: now }];
      const isDecided = isQuorum(votes.length, readValidators(view).length);
      writeSuspension(view, relay, isDecided ? { untilS: now + SUSPENSION_S, votes: [] } : { untilS: 0, votes });
    }
    return { concerns: [relay] };
  },
};

/** Why the transaction of a sender would fail, for nodes that are about to send one, too. */
export function suspensionFailure(
  state: StateReader,
  from: PublicKeyHex,
  { relay_pub: relay, version }: Pick<DigestContradiction, "relay_pub" | "version">,
  context: Pick<TransactionContext, "timeMs">,
): FailureCode | undefined {
  const now = blockSeconds(context);
  const { bondUt, withdrawnUt } = readKeeper(state, relay);
  if (bondUt + withdrawnUt === 0) return "RELAY_NOT_BONDED";
  const signedS = version * DIGEST_VERSION_S;
  if (signedS > now + CLOCK_SKEW_S || signedS <= now - LIE_LIFETIME_S) return "RELAY_LIE_UNPROVEN";
  const { untilS, votes } = readSuspension(state, relay, now);
  if (untilS > 0) return "RELAY_SUSPENDED";
  return votes.some(({ voter }) => voter === from) ? "SUSPENSION_VOTED" : undefined;
}

/** Votes that count: of those who left the set, or have another key now, none does. */
function membersVotes(state: StateReader, relay: PublicKeyHex, context: TransactionContext): readonly SuspensionVote[] {
  const members = new Set(readValidators(state).map(({ publicKey }) => publicKey));
  return readSuspension(state, relay, blockSeconds(context)).votes.filter(({ voter }) => members.has(voter));
}

function isMember(state: StateReader, publicKey: PublicKeyHex): boolean {
  return readValidators(state).some((member) => member.publicKey === publicKey);
}
