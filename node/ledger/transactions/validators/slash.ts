// SLASH: proves that a validator signed two contradicting votes or proposals, or votes for contradicting headers. It loses a tenth of its bond, a tenth of which another
// one that reports it gets and the rest of which is burnt, leaves the set and cannot return for a week. Each offence counts once.

import { proposalSignBytes, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { LARGE_PAYLOAD_BYTES, SLASH_BAN_S, SLASH_DIVISOR } from "#shared/protocol/primitives/limits.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import type { EquivocationOf, Misconduct, ProposalStatement, VoteStatement } from "#shared/protocol/transactions/payload.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import type { TransactionContext } from "../../context.ts";
import { writeSetAside } from "../../records/absence-records.ts";
import { credit } from "../../records/balance.ts";
import { readNodeCounters, writeNodeCounters } from "../../records/node-records.ts";
import { readSupply, readValidators, writeSupply, writeValidators } from "../../records/records.ts";
import { liableKey } from "../../records/rotation-records.ts";
import {
  isPunished,
  type Offence,
  readUnbonding,
  readValidatorRecord,
  writePunished,
  writeUnbonding,
  writeValidatorRecord,
} from "../../records/validator-records.ts";
import type { StateReader, StateView } from "../../state-view.ts";
import { choiceField, type FieldRule, hexField, integerField, nullableField, objectField, signatureField } from "../payload-fields.ts";
import { blockSeconds, type SignatureInput, type TransactionRule } from "../transaction-rule.ts";
import { headerEvidenceField, headerEvidenceSignatures, votedHeight } from "./header-evidence.ts";
import { leaveSet } from "./validator-changes.ts";

const voteField = objectField<VoteStatement>({ block_hash: nullableField(hexField(32, "a hash")), signature: signatureField() });
const proposalField = objectField<ProposalStatement>({
  block_hash: hexField(32, "a hash"),
  valid_round: integerField(-1, Number.MAX_SAFE_INTEGER),
  signature: signatureField(),
});
const POSITION = {
  validator_pub: hexField(32, "an Ed25519 key"),
  height: integerField(1, Number.MAX_SAFE_INTEGER),
  round: integerField(0, Number.MAX_SAFE_INTEGER),
};
const votesField = objectField<EquivocationOf<"prevote" | "precommit", VoteStatement>>({
  ...POSITION,
  step: choiceField("prevote", "precommit"),
  first: voteField,
  second: voteField,
});
const proposalsField = objectField<EquivocationOf<"proposal", ProposalStatement>>({
  ...POSITION,
  step: choiceField("proposal"),
  first: proposalField,
  second: proposalField,
});
const evidenceField: FieldRule<Misconduct> = {
  isRequired: true,
  words: "two votes or proposals of one validator, height, round and step for different blocks, or two votes for contradicting headers",
  read: (value) => {
    const equivocation = votesField.read(value) ?? proposalsField.read(value);
    if (equivocation === undefined) return headerEvidenceField.read(value);
    return equivocation.first.block_hash === equivocation.second.block_hash ? undefined : equivocation;
  },
};

export const slash: TransactionRule<"SLASH"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: { evidence: evidenceField },
  maxPayloadBytes: LARGE_PAYLOAD_BYTES,
  // A validator without money must be able to report. Each report takes an offender out of the set, so few can be free.
  isFeeWaived: (state, { from }, { evidence }, context) => {
    const members = new Set(readValidators(state).map(({ publicKey }) => publicKey));
    const liable = liableKey(state, evidence.validator_pub, blockSeconds(context));
    return from !== liable && members.has(from) && members.has(liable);
  },
  signatures: (_tx, { evidence }, chainId) => statementInputs(evidence, chainId),
  failure: (state, _tx, { evidence }, context): FailureCode | undefined => {
    const { terms } = readValidatorRecord(state, evidence.validator_pub);
    const height = evidence.step === "header" ? votedHeight(evidence) : evidence.height;
    const wasValidator = terms.some(({ from, to }) => from <= height && height <= (to ?? context.height));
    if (!wasValidator) return "OFFENCE_UNPROVEN";
    return offencesOf(evidence).some((offence) => isPunished(state, offence)) ? "OFFENCE_PUNISHED" : undefined;
  },
  apply: (view, tx, payload, context) => {
    const offender = payload.evidence.validator_pub;
    const liable = liableKey(view, offender, blockSeconds(context));
    const bondUt = bondOf(view, liable);
    const lostUt = Math.floor(bondUt / SLASH_DIVISOR);
    // Being the first to report oneself must not save anything.
    const rewardUt = tx.from === offender || tx.from === liable ? 0 : Math.floor(lostUt / SLASH_DIVISOR);
    punish(view, liable, bondUt - lostUt, context);
    credit(view, tx.from, rewardUt);
    writeSupply(view, readSupply(view) - (lostUt - rewardUt));
    for (const offence of offencesOf(payload.evidence)) writePunished(view, offence, tx.from);
    const counters = readNodeCounters(view, liable);
    writeNodeCounters(view, liable, { ...counters, slashCount: counters.slashCount + 1 });
    return { concerns: [offender, liable] };
  },
};

/** A vote for a false header counts once a height, and not again as one of two votes of its round. */
export function offencesOf({ validator_pub: validatorPub, height, round, step }: Misconduct): readonly Offence[] {
  if (step !== "header") return [{ validatorPub, height, round, step }];
  return [
    { validatorPub, height, round: 0, step },
    { validatorPub, height, round, step: "precommit" },
  ];
}

/** Bond of a validator, or what of it is on its way back. */
function bondOf(state: StateReader, publicKey: string): number {
  const validator = readValidators(state).find((member) => member.publicKey === publicKey);
  return validator?.bondUt ?? readUnbonding(state, publicKey)?.amountUt ?? 0;
}

/** Leaves the offender the given bond outside the set, unless it is the last validator: without one, the chain would end. */
function punish(view: StateView, publicKey: string, bondUt: number, context: TransactionContext): void {
  const validators = readValidators(view);
  const unbonding = readUnbonding(view, publicKey);
  if (!validators.some((member) => member.publicKey === publicKey)) {
    if (unbonding !== undefined) writeUnbonding(view, publicKey, bondUt === 0 ? undefined : { ...unbonding, amountUt: bondUt });
  } else if (validators.length === 1) writeValidators(view, [{ publicKey, bondUt }]);
  else leaveSet(view, { publicKey, bondUt }, [], context);
  writeSetAside(view, publicKey, undefined);
  const record = readValidatorRecord(view, publicKey);
  const bannedUntil = Math.max(record.bannedUntil, blockSeconds(context) + SLASH_BAN_S);
  writeValidatorRecord(view, publicKey, { ...record, bannedUntil });
}

function statementInputs(evidence: Misconduct, chainId: string): readonly SignatureInput[] {
  if (evidence.step === "header") return headerEvidenceSignatures(evidence, chainId);
  const { height, round } = evidence;
  const publicKey = fromHex(evidence.validator_pub);
  if (evidence.step === "proposal")
    return [evidence.first, evidence.second].map(({ block_hash: blockHash, valid_round: validRound, signature }) => ({
      signature: fromBase64(signature),
      message: proposalSignBytes(chainId, { height, round, validRound, blockHash }),
      publicKey,
    }));
  const { step: type } = evidence;
  return [evidence.first, evidence.second].map(({ block_hash: blockHash, signature }) => ({
    signature: fromBase64(signature),
    message: voteSignBytes(chainId, { type, height, round, blockHash }),
    publicKey,
  }));
}
