// A purse of several keys: a payment happens when enough of them approve it. State: `m:<key>` is 1 for a member, `need` how many must
// approve, `next` the next payment's number; `p:<n>:t` recipient, `:v` µT, `:c` approvals, `:a:<key>` 1 for each, `:x` 1 when it was paid.
import { argKey, argString, argU64, caller, callContract, Args, demand, isHexKey, log, returnU64, storage, transfer, value } from "parley";

/** Members, separated by spaces, and how many of them must approve. */
export function init(): void {
  const members = argString(0).split(" ");
  const need = argU64(1);
  demand(need > 0 && need <= <u64>members.length && members.length <= 32, "1 to 32 members, and as many approvals at most");
  for (let at = 0; at < members.length; at += 1) {
    const member = members[at];
    demand(isHexKey(member), "a member is a public key of 64 hex characters");
    demand(storage.getU64("m:" + member) == 0, "a member is named twice");
    storage.setU64("m:" + member, 1);
  }
  storage.setU64("need", need);
  storage.setU64("next", 1);
}

/** Puts the attached µT into the purse. */
export function deposit(): void {
  log("deposit " + caller() + " " + value().toString());
}

/** Proposes a payment, and approves it. */
export function propose(): void {
  demandMember();
  const to = argKey(0, "to");
  const n = storage.getU64("next");
  const amount = argU64(1);
  demand(amount > 0, "a payment is more than nothing");
  storage.setU64("next", n + 1);
  storage.set("p:" + n.toString() + ":t", to);
  storage.setU64("p:" + n.toString() + ":v", amount);
  log("propose " + n.toString() + " " + to + " " + amount.toString());
  returnU64(n);
  count(n);
}

/** Approves a payment; with the last approval that it needs it is paid. */
export function approve(): void {
  demandMember();
  count(argU64(0));
}

/** Approvals of a payment. */
export function approvals(): void {
  returnU64(storage.getU64("p:" + argU64(0).toString() + ":c"));
}

/** Asks another contract for one of its views, for a member who wants to know what it says from here. */
export function ask(): void {
  demandMember();
  const answer = callContract(argString(0), argString(1), new Args());
  demand(answer.isOk, "the other contract says " + answer.text);
  log("answer " + answer.text);
}

function demandMember(): void {
  demand(storage.getU64("m:" + caller()) == 1, "only members do that");
}

function count(n: u64): void {
  const payment = "p:" + n.toString();
  const to = storage.get(payment + ":t");
  demand(to !== null, "there is no such payment");
  demand(storage.getU64(payment + ":x") == 0, "the payment is done");
  demand(storage.getU64(payment + ":a:" + caller()) == 0, "the member approved it already");
  storage.setU64(payment + ":a:" + caller(), 1);
  const approved = storage.getU64(payment + ":c") + 1;
  storage.setU64(payment + ":c", approved);
  log("approve " + n.toString() + " " + caller());
  if (approved < storage.getU64("need")) return;
  storage.setU64(payment + ":x", 1);
  demand(transfer(to!, storage.getU64(payment + ":v")), "the purse cannot pay");
  log("pay " + n.toString() + " " + to!);
}
