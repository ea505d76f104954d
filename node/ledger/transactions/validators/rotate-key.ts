// ROTATE_KEY: a validator's place, bond and wallet go to a new key, which votes from the next height on. Both keys sign. What the old key
// signed stays punishable, out of the bond that the new one has.
import { sortValidators } from "#shared/protocol/chain/validators.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { ROTATION_BLOCKS, ROTATION_VERSION } from "#shared/protocol/primitives/limits.ts";
import { rotationSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import { readAbsences, writeAbsences } from "../../records/absence-records.ts";
import { readWallet, writeWallet } from "../../records/node-records.ts";
import { readValidators, writeValidators } from "../../records/records.ts";
import { readRotation, replaceKey } from "../../records/rotation-records.ts";
import {
  readApprovals,
  readUnbonding,
  readValidatorRecord,
  writeApprovals,
  writeValidatorRecord,
} from "../../records/validator-records.ts";
import type { StateReader, StateView } from "../../state-view.ts";
import { hexField, signatureField } from "../payload-fields.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";
import { clearApprovals, endTerm } from "./validator-changes.ts";

export const rotateKey: TransactionRule<"ROTATE_KEY"> = {
  recipient: "none",
  minimumAmountUt: "none",
  sinceVersion: ROTATION_VERSION,
  fields: { new_pub: hexField(32, "an Ed25519 key"), new_sig: signatureField() },
  keys: (payload) => [payload.new_pub],
  signatures: ({ from }, { new_pub, new_sig }, chainId) => [
    { signature: fromBase64(new_sig), message: rotationSignBytes(chainId, from, new_pub), publicKey: fromHex(new_pub) },
  ],
  failure: (state, { from }, { new_pub: newPub }, { height }): FailureCode | undefined => {
    if (!readValidators(state).some(({ publicKey }) => publicKey === from)) return "NOT_A_VALIDATOR";
    if (isUsed(state, newPub)) return "VALIDATOR_KEY_USED";
    const { previous, height: since } = readRotation(state, from);
    return previous !== undefined && height < since + ROTATION_BLOCKS ? "ROTATION_TOO_SOON" : undefined;
  },
  apply: (view, { from }, { new_pub: newPub }, context) => {
    const now = blockSeconds(context);
    const members = readValidators(view).map((member) => (member.publicKey === from ? { ...member, publicKey: newPub } : member));
    writeValidators(view, sortValidators(members));
    const record = readValidatorRecord(view, from);
    const terms = record.terms.flatMap((term) => endTerm(term, context.height));
    writeValidatorRecord(view, from, { ...record, changedAt: now, terms });
    const { bannedUntil } = record;
    writeValidatorRecord(view, newPub, { changedAt: now, bannedUntil, terms: [{ from: context.height + 1, to: undefined }] });
    const absences = readAbsences(view).map((entry) => (entry.publicKey === from ? { ...entry, publicKey: newPub } : entry));
    writeAbsences(view, absences);
    // Whom the others are about to remove does not escape by another name.
    const removal = readApprovals(view, "remove", from).filter(({ approver }) => approver !== from);
    clearApprovals(view, from);
    clearApprovals(view, newPub);
    writeApprovals(view, "remove", newPub, removal);
    moveWallet(view, from, newPub);
    replaceKey(view, { from, to: newPub, height: context.height, nowS: now });
    return { concerns: [newPub] };
  },
};

/** The earnings of the new key go where those of the old one went, unless it has a wallet. */
export function moveWallet(view: StateView, from: PublicKeyHex, newPub: PublicKeyHex): void {
  if (readWallet(view, newPub) === newPub && readWallet(view, from) !== from) writeWallet(view, newPub, readWallet(view, from));
}

/** True for a key that is, was or is about to be paid back as a validator's: what it signed has a record of its own. */
function isUsed(state: StateReader, publicKey: PublicKeyHex): boolean {
  const { changedAt, terms } = readValidatorRecord(state, publicKey);
  const isMember = readValidators(state).some((member) => member.publicKey === publicKey);
  return isMember || changedAt > 0 || terms.length > 0 || readUnbonding(state, publicKey) !== undefined;
}
