// What must hold on the committed state before the node signs a duty: what would fail on the chain would still cost its fee.
import { readWallet } from "#node/ledger/records/node-records.ts";
import { readAccount, readValidators } from "#node/ledger/records/records.ts";
import { readUnbonding } from "#node/ledger/records/validator-records.ts";
import type { DutyRequest } from "#shared/api/schemas/duties.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { type DutyContext, leastFeeOf } from "./duty-context.ts";

/** What checks look at. */
export interface DutyCheckContext extends Pick<DutyContext, "state" | "key" | "clock" | "leastFeeUt"> {
  /** Bond of a validator, µT. */
  readonly bondUt: AmountUt;
}

/** What a duty is about. */
export interface DutySubject {
  /** The other validator that it names. */
  readonly target: PublicKeyHex | undefined;
  /** What it pays. */
  readonly amountUt: AmountUt;
}

type Check = (context: DutyCheckContext, subject: DutySubject) => void;

const CHECKS: Readonly<Record<DutyRequest["duty"], Check>> = {
  apply: (context) => {
    const { state, key, bondUt } = context;
    refuseIf(isMember(context, key.publicKey), "This node is a validator already");
    // A bond on its way back counts towards a new one.
    assertFunds(context, Math.max(0, bondUt - (readUnbonding(state, key.publicKey)?.amountUt ?? 0)) + leastFeeOf(context));
  },
  leave: (context) => {
    refuseIf(!isMember(context, context.key.publicKey), "This node is not a validator");
    refuseIf(readValidators(context.state).length === 1, "This node is the only validator: without it the network would stop");
  },
  withdraw_bond: (context) => {
    const { state, key, clock } = context;
    const unbonding = readUnbonding(state, key.publicKey);
    if (unbonding === undefined || isMember(context, key.publicKey))
      throw new CodedError("TX_REJECTED", "This node has no bond to take back: a validator leaves first");
    const availableAtMs = unbonding.availableAt * 1_000;
    refuseIf(availableAtMs > clock.nowMs(), `The bond is locked until ${new Date(availableAtMs).toISOString()}`);
  },
  approve: (context, { target: candidate = "" }) => {
    assertApprover(context);
    refuseIf(isMember(context, candidate), "That key is a validator already");
  },
  approve_removal: (context, { target: validator = "" }) => {
    assertApprover(context);
    refuseIf(!isMember(context, validator), "That key is not a validator");
  },
  bind_wallet: () => undefined,
  unbind_wallet: ({ state, key }) => {
    refuseIf(readWallet(state, key.publicKey) === key.publicKey, "The earnings of this node go to its own account already");
  },
  pay_wallet: (context, { amountUt }) => assertFunds(context, amountUt + leastFeeOf(context)),
};

/** Checks a duty. @throws CodedError TX_REJECTED, TX_INSUFFICIENT_BALANCE in words. */
export function assertPossible(context: DutyCheckContext, duty: DutyRequest["duty"], subject: DutySubject): void {
  assertFunds(context, leastFeeOf(context));
  CHECKS[duty](context, subject);
}

function assertApprover(context: DutyCheckContext): void {
  refuseIf(!isMember(context, context.key.publicKey), "Only a validator can approve: this node is none");
}

function isMember({ state }: DutyCheckContext, publicKey: PublicKeyHex): boolean {
  return readValidators(state).some((member) => member.publicKey === publicKey);
}

function refuseIf(isRefused: boolean, message: string): void {
  if (isRefused) throw new CodedError("TX_REJECTED", message);
}

function assertFunds({ state, key }: DutyCheckContext, neededUt: AmountUt): void {
  const { balanceUt } = readAccount(state, key.publicKey);
  if (balanceUt >= neededUt) return;
  throw new CodedError(
    "TX_INSUFFICIENT_BALANCE",
    `The node's account ${formatAddress(key.publicKey)} has ${formatAmount(balanceUt)} and needs ${formatAmount(neededUt)}: pay it the rest first`,
  );
}
