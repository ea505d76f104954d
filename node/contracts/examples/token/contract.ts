// A fungible token of its own: balances, allowances, a supply that only its deployer can raise. State: `b:<holder>`,
// `a:<owner>:<spender>` and `supply` are integers, `name` and `symbol` texts.
import { argKey, argString, argU64, caller, demand, log, owner, returnString, returnU64, storage } from "parley";

/** Names the token; its deployer gets the first supply. */
export function init(): void {
  const name = argString(0);
  const symbol = argString(1);
  demand(name.length > 0 && name.length <= 64, "a name has 1 to 64 characters");
  demand(symbol.length > 0 && symbol.length <= 12, "a symbol has 1 to 12 characters");
  storage.set("name", name);
  storage.set("symbol", symbol);
  create(owner(), argU64(2));
}

/** Moves the caller's tokens. */
export function transfer(): void {
  move(caller(), argKey(0, "to"), argU64(1));
}

/** Lets another key take up to an amount; replaces what was approved before. */
export function approve(): void {
  const spender = argKey(0, "spender");
  const amount = argU64(1);
  storage.setU64(allowanceKey(caller(), spender), amount);
  log("approve " + caller() + " " + spender + " " + amount.toString());
}

/** Moves tokens of a holder who approved it. */
export function transfer_from(): void {
  const from = argKey(0, "from");
  const amount = argU64(2);
  const key = allowanceKey(from, caller());
  const allowed = storage.getU64(key);
  demand(allowed >= amount, "the caller is not allowed that much");
  storage.setU64(key, allowed - amount);
  move(from, argKey(1, "to"), amount);
}

/** Makes more; only for the owner, who deployed the contract. */
export function mint(): void {
  demand(caller() == owner(), "only the owner mints");
  create(argKey(0, "to"), argU64(1));
}

/** Destroys the caller's tokens. */
export function burn(): void {
  const amount = argU64(0);
  take(caller(), amount);
  storage.setU64("supply", storage.getU64("supply") - amount);
  log("burn " + caller() + " " + amount.toString());
}

/** What a key holds. */
export function balance_of(): void {
  returnU64(storage.getU64("b:" + argKey(0, "holder")));
}

/** All that there is. */
export function supply(): void {
  returnU64(storage.getU64("supply"));
}

/** The symbol. */
export function symbol(): void {
  const text = storage.get("symbol");
  returnString(text === null ? "" : text);
}

function allowanceKey(from: string, spender: string): string {
  return "a:" + from + ":" + spender;
}

function create(to: string, amount: u64): void {
  const before = storage.getU64("supply");
  demand(before + amount >= before, "the supply would overflow");
  storage.setU64("supply", before + amount);
  give(to, amount);
  log("mint " + to + " " + amount.toString());
}

function move(from: string, to: string, amount: u64): void {
  take(from, amount);
  give(to, amount);
  log("transfer " + from + " " + to + " " + amount.toString());
}

function take(from: string, amount: u64): void {
  const held = storage.getU64("b:" + from);
  demand(held >= amount, "the balance does not suffice");
  storage.setU64("b:" + from, held - amount);
}

/** No balance overflows, because the supply does not. */
function give(to: string, amount: u64): void {
  storage.setU64("b:" + to, storage.getU64("b:" + to) + amount);
}
