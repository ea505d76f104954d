// The state of one chain as the first state of another: what refers to blocks, votes or transactions of the old chain is left behind,
// all else stays as it is. No µT is made, lost or given to another key.
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { UNBONDING_S } from "#shared/protocol/primitives/limits.ts";
import { toHex } from "#shared/util/bytes.ts";
import { decodeRecord } from "./record-codec.ts";
import { debit } from "./records/balance.ts";
import { decodeContract, writeContract } from "./records/contract-records.ts";
import { accountCodec, readAccount, readValidators, writeAccount, writeValidators } from "./records/records.ts";
import { decodeSuspension, writeSuspension } from "./records/suspension-records.ts";
import { readUnbonding, readValidatorRecord, writeUnbonding, writeValidatorRecord } from "./records/validator-records.ts";
import type { Namespace, StateEntry, StateReader, StateView } from "./state-view.ts";

/** The validators of the new chain, and its first time. */
export interface NewValidators {
  /** In canonical order. */
  readonly validators: ValidatorSet;
  /** Unix seconds of block 0. */
  readonly atS: number;
}

/**
 * Changes one record of the old chain into what the new one begins with. The view holds the record.
 * - A history begins again: its entries are transactions that no block of the new chain holds.
 * - Parameters are those of the new genesis file, with first values for all that it does not name.
 * - Approvals and punished offences name votes of the old chain, which are signed for its id and count nowhere else.
 * - Commits that lack a validator, and blocks that were proposed, are those of the old chain.
 * - Replaced keys answer for votes of the old chain alone.
 * - Epochs are those of the old chain's blocks, and the new one may begin before the last of them. Bonds of relays and salts stay.
 * - Votes to suspend a relay rest on digests that were signed for the old chain's id. A suspension lasts as long as it did.
 * - Terms and heights of deployments are heights of the old chain; the new one counts from 0.
 */
export function carryRecord(view: StateView, namespace: Namespace, { key, value }: StateEntry): void {
  switch (namespace) {
    case "account": {
      const { balanceUt } = decodeRecord(accountCodec, value);
      writeAccount(view, toHex(key), { balanceUt, historyCount: 0, historyHash: ZERO_HASH });
      return;
    }
    case "absence":
    case "approval":
    case "directory":
    case "offence":
    case "params":
    case "proposed":
    case "rotation":
      view.delete(namespace, key);
      return;
    case "contract":
      writeContract(view, { ...decodeContract(key, value), deployedAt: 0 });
      return;
    case "validator": {
      const publicKey = toHex(key);
      writeValidatorRecord(view, publicKey, { ...readValidatorRecord(view, publicKey), terms: [] });
      return;
    }
    case "suspension":
      writeSuspension(view, toHex(key), { untilS: decodeSuspension(value).untilS, votes: [] });
      return;
    default:
  }
}

/** µT that a key has in a bond or is being paid back: what it brings without its balance. */
export function heldUt(state: StateReader, publicKey: PublicKeyHex): AmountUt {
  const validator = readValidators(state).find((member) => member.publicKey === publicKey);
  return (validator?.bondUt ?? 0) + (readUnbonding(state, publicKey)?.amountUt ?? 0);
}

/** Why a key cannot be a validator of the new chain with a bond, in words; undefined when it can. */
export function refusalOfValidator(state: StateReader, publicKey: PublicKeyHex, bondUt: AmountUt, atS: number): string | undefined {
  const isMember = readValidators(state).some((member) => member.publicKey === publicKey);
  if (!isMember && readValidatorRecord(state, publicKey).bannedUntil > atS)
    return `${publicKey} contradicted itself and cannot be a validator yet`;
  const missingUt = bondUt - heldUt(state, publicKey);
  if (missingUt < 0) return `${publicKey} has ${bondUt - missingUt} µT locked already, and its bond is ${bondUt} µT`;
  const { balanceUt } = readAccount(state, publicKey);
  return missingUt > balanceUt
    ? `${publicKey} cannot lock a bond of ${bondUt} µT: its balance lacks ${missingUt - balanceUt} µT`
    : undefined;
}

/**
 * Puts the new set in the place of the old one. A bond takes in what its key has locked or is being paid back, and the rest from the
 * balance. A validator that is not in the new set waits for its bond as if it had left: to stop a chain is no earlier way to it.
 * The caller has asked for refusals.
 */
export function replaceValidators(view: StateView, { validators, atS }: NewValidators): void {
  const old = readValidators(view);
  const staying = new Set(validators.map(({ publicKey }) => publicKey));
  for (const { publicKey } of old) {
    if (staying.has(publicKey)) continue;
    const amountUt = heldUt(view, publicKey);
    writeUnbonding(view, publicKey, amountUt === 0 ? undefined : { amountUt, availableAt: atS + UNBONDING_S });
  }
  for (const { publicKey, bondUt } of validators) {
    const missingUt = bondUt - heldUt(view, publicKey);
    if (missingUt > 0) debit(view, publicKey, missingUt);
    writeUnbonding(view, publicKey, undefined);
  }
  for (const { publicKey } of [...old, ...validators]) {
    const record = readValidatorRecord(view, publicKey);
    const terms = staying.has(publicKey) ? [{ from: 0, to: undefined }] : [];
    writeValidatorRecord(view, publicKey, { ...record, changedAt: atS, terms });
  }
  writeValidators(view, validators);
}
