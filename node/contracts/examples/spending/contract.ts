// An account from which others may pay within limits: so much at a time, so much in any period, to some payees only, until a day. The
// owner ends any of it at once. Made for programs, whose keys are easier to steal than a person's.
import { Address, blockTime, caller, demand, emit, pairKey, StorageMap, transfer, value } from "parley";
import * as budgets from "parley/library/budgets";
import * as ownership from "parley/library/ownership";
import { demandRecipient } from "parley/library/recipients";

export const NAME = "spending";
export const VERSION = "1.0.0";

const MAX_MEMO_CHARACTERS: i32 = 128;

/** What a spender may do. With `anyPayee` the limits of payees hold for those that have one, else only those can be paid. */
@struct
class Budget {
  each: u64;
  total: u64;
  periodS: u64;
  expires: u64;
  anyPayee: bool;
  serial: u64;
}

/** What goes to one payee in any period of its own. */
@struct
class PayeeLimit {
  total: u64;
  periodS: u64;
  serial: u64;
}

@event class Deposited { @indexed from: Address; amount: u64; }
@event class BudgetSet { @indexed spender: Address; each: u64; total: u64; periodS: u64; expires: u64; anyPayee: bool; }
@event class BudgetEnded { @indexed spender: Address; }
@event class PayeeSet { @indexed spender: Address; @indexed payee: Address; total: u64; periodS: u64; }
@event class Spent { @indexed spender: Address; @indexed payee: Address; amount: u64; memo: string; }
@event class Withdrawn { @indexed to: Address; amount: u64; }

const budgetsOf = new StorageMap<Address, Budget>("budgets");
/** Raised when a budget is ended, so that limits of payees of before never hold for a later one. */
const serials = new StorageMap<Address, u64>("serials");
const payees = new StorageMap<string, PayeeLimit>("payees");

export function init(): void {
  ownership.begin(caller());
}

@payable
export function deposit(): void {
  demand(value() > 0, "a deposit is more than nothing");
  emit(new Deposited(caller(), value()));
}

/** Gives a spender a budget, or another one; what was spent counts on, unless the length of the period changes. Only for the owner. */
export function set_budget(spender: Address, each: u64, total: u64, periodS: u64, expires: u64, anyPayee: bool): void {
  ownership.demandOwner();
  demandRecipient(spender);
  demand(spender != caller(), "the owner needs no budget");
  demand(each > 0 && each <= total, "what is paid at a time is more than nothing, and no more than the total");
  demand(expires > blockTime(), "the budget expires in the past");
  const serial = serials.get(spender);
  budgets.demandPeriod(periodS);
  budgetsOf.set(spender, new Budget(each, total, periodS, expires, anyPayee, serial));
  emit(new BudgetSet(spender, each, total, periodS, expires, anyPayee));
}

/** Limits what a spender may pay to one payee; a total of 0 forbids it. Only for the owner. */
export function set_payee(spender: Address, payee: Address, total: u64, periodS: u64): void {
  ownership.demandOwner();
  demand(budgetsOf.has(spender), "the spender has no budget");
  demandRecipient(payee);
  const key = pairKey(spender, payee);
  budgets.demandPeriod(periodS);
  payees.set(key, new PayeeLimit(total, periodS, serials.get(spender)));
  emit(new PayeeSet(spender, payee, total, periodS));
}

/** Ends a budget with all its limits at once. Only for the owner. */
export function revoke(spender: Address): void {
  ownership.demandOwner();
  demand(budgetsOf.has(spender), "the spender has no budget");
  budgetsOf.remove(spender);
  serials.set(spender, serials.get(spender) + 1);
  emit(new BudgetEnded(spender));
}

/** Pays within the caller's budget. */
export function pay(to: Address, amount: u64, memo: string): void {
  const spender = caller();
  demand(budgetsOf.has(spender), "the caller has no budget");
  const budget = budgetsOf.get(spender);
  demand(blockTime() < budget.expires, "the budget has expired");
  demand(amount > 0 && amount <= budget.each, "more than the budget allows at a time");
  demand(memo.length <= MAX_MEMO_CHARACTERS, "a memo has at most 128 characters");
  demandRecipient(to);
  const key = pairKey(spender, to);
  const isLimited = payees.has(key) && payees.get(key).serial == budget.serial;
  demand(isLimited || budget.anyPayee, "the budget does not allow this payee");
  if (isLimited) {
    const limit = payees.get(key);
    budgets.spend(key, amount, limit.total, limit.periodS);
  }
  budgets.spend(spender, amount, budget.total, budget.periodS);
  demand(transfer(to, amount), "the account cannot pay");
  emit(new Spent(spender, to, amount, memo));
}

/** Takes µT out. Only for the owner. */
export function withdraw(to: Address, amount: u64): void {
  ownership.demandOwner();
  demandRecipient(to);
  demand(transfer(to, amount), "the account cannot pay");
  emit(new Withdrawn(to, amount));
}

export function offer_ownership(to: Address): void {
  ownership.offer(to);
}

export function accept_ownership(): void {
  ownership.accept();
}

@view
export function budget_of(spender: Address): Budget {
  demand(budgetsOf.has(spender), "the spender has no budget");
  return budgetsOf.get(spender);
}

/** What is left of the total of a spender in the period before now. */
@view
export function left(spender: Address): u64 {
  const budget = budget_of(spender);
  const spent = budgets.spent(spender, budget.periodS);
  return spent < budget.total ? budget.total - spent : 0;
}

@view
export function owner_of_account(): Address {
  return ownership.owner();
}
