// REGISTER_RELAY: a node offers to relay envelopes. A repeat replaces what it announced before, but for a bond of which it says nothing.
// The bond makes the relay a candidate for keeping mail. It is locked as a validator's is, and never slashed.
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { keeperBondUt } from "#shared/protocol/keepers/keeper-standing.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { KEEPERS_VERSION, MAX_MULTIADDR_BYTES, UNBONDING_S } from "#shared/protocol/primitives/limits.ts";
import { isPrintable } from "#shared/protocol/primitives/printable.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import { utf8 } from "#shared/util/bytes.ts";
import type { TransactionContext } from "../../context.ts";
import { credit, debit } from "../../records/balance.ts";
import { readKeeper, readKeeperCount, writeKeeper } from "../../records/keeper-records.ts";
import { writeRelay } from "../../records/node-records.ts";
import { readAccount } from "../../records/records.ts";
import type { StateReader, StateView } from "../../state-view.ts";
import { amountField, checkedField, optional, x25519KeyField } from "../payload-fields.ts";
import { blockSeconds, type TransactionRule } from "../transaction-rule.ts";

const multiaddrField = checkedField(
  `printable text of at most ${MAX_MULTIADDR_BYTES} bytes that begins with /`,
  (text) => text.startsWith("/") && utf8(text).length <= MAX_MULTIADDR_BYTES && isPrintable(text),
);

export const registerRelay: TransactionRule<"REGISTER_RELAY"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: {
    x25519_pub_key: x25519KeyField("any case"),
    fee_per_msg_ut: amountField(),
    multiaddr: optional(multiaddrField),
    bond_ut: optional(amountField()),
  },
  fieldVersions: { bond_ut: KEEPERS_VERSION },
  failure: (state, { from }, { bond_ut: bondUt }, context) =>
    bondUt === undefined ? undefined : bondFailure(state, { publicKey: from, bondUt }, context),
  apply: (view, { from }, payload, context) => {
    writeRelay(view, {
      publicKey: from,
      x25519Pub: payload.x25519_pub_key,
      feePerMessageUt: payload.fee_per_msg_ut,
      multiaddr: payload.multiaddr ?? "",
    });
    if (payload.bond_ut === 0) withdrawBond(view, from, context);
    else if (payload.bond_ut !== undefined) lockBond(view, { publicKey: from, bondUt: payload.bond_ut });
  },
};

/** A bond that a relay wants to have, all of it. */
interface WantedBond {
  readonly publicKey: PublicKeyHex;
  readonly bondUt: AmountUt;
}

function bondFailure(state: StateReader, { publicKey, bondUt }: WantedBond, context: TransactionContext): FailureCode | undefined {
  const keeper = readKeeper(state, publicKey);
  const lockedUt = keeper.bondUt + keeper.withdrawnUt;
  if (bondUt === 0) {
    const isWaiting = keeper.bondUt === 0 && keeper.withdrawnUt > 0 && blockSeconds(context) < keeper.availableAt;
    return isWaiting ? "BOND_LOCKED" : undefined;
  }
  if (bondUt < keeperBondUt(context.params.validator_bond_ut, KEEPER_RULES)) return "RELAY_BOND_SMALL";
  if (bondUt < lockedUt) return "RELAY_BOND_REDUCED";
  if (lockedUt === 0 && readKeeperCount(state) >= KEEPER_RULES.mostRelays) return "RELAY_BOND_LIMIT";
  return readAccount(state, publicKey).balanceUt < bondUt - lockedUt ? "BOND_UNAFFORDABLE" : undefined;
}

/** What is on its way back is taken in before the balance. */
function lockBond(view: StateView, { publicKey, bondUt }: WantedBond): void {
  const keeper = readKeeper(view, publicKey);
  const missingUt = bondUt - keeper.bondUt - keeper.withdrawnUt;
  if (missingUt > 0) debit(view, publicKey, missingUt);
  writeKeeper(view, publicKey, { ...keeper, bondUt, withdrawnUt: 0, availableAt: 0 });
}

/** The bond waits like that of a validator that leaves; sent again after that, the same transaction fetches it. */
function withdrawBond(view: StateView, publicKey: PublicKeyHex, context: TransactionContext): void {
  const keeper = readKeeper(view, publicKey);
  if (keeper.bondUt > 0) {
    const availableAt = blockSeconds(context) + UNBONDING_S;
    writeKeeper(view, publicKey, { ...keeper, bondUt: 0, withdrawnUt: keeper.bondUt, availableAt });
  } else if (keeper.withdrawnUt > 0) {
    credit(view, publicKey, keeper.withdrawnUt);
    writeKeeper(view, publicKey, { ...keeper, withdrawnUt: 0, availableAt: 0 });
  }
}
