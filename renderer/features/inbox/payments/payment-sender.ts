// Gives payments that were signed in chats to the node, one after another, and finds out what became of them. A payment is noted as handed
// over before it is, so that whatever ends in between, nothing else is signed in its place while it may be on its way: until the chain's own
// time is an hour beyond it, since then no block takes it. The clock of this device may be wrong.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { HeldMessage } from "#shared/messenger/commands/payments.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { MessengerProblem } from "#shared/messenger/model/message.ts";
import { problemOf } from "#shared/messenger/model/problem.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** What the sender needs. */
export interface SenderPorts {
  readonly messenger: Pick<Messenger, "heldPayments" | "releasePayment" | "setPaymentFate">;
  readonly isOnline: () => boolean;
  /** Gives a transaction to the node. @throws CodedError. */
  readonly submit: (transaction: Transaction) => Promise<void>;
  /** True when it is in a block. @throws CodedError when that cannot be said. */
  readonly isOnChain: (txId: string) => Promise<boolean>;
  /** Time of the newest block, milliseconds since 1970. @throws CodedError when that cannot be said. */
  readonly chainMs: () => Promise<number>;
  readonly nowMs: () => number;
  /** A node has it. */
  readonly onTaken: (transaction: Transaction) => void;
}

/** Goes through all payments that are held; true when some are left to be tried again. */
export async function sendHeldPayments(ports: SenderPorts): Promise<boolean> {
  let isLeft = false;
  for (const held of await ports.messenger.heldPayments()) if (!(await sendOne(ports, held).catch(() => false))) isLeft = true;
  return isLeft;
}

/** True when nothing more is to be done about it. */
async function sendOne(ports: SenderPorts, { key, transaction, fate }: HeldMessage): Promise<boolean> {
  if (fate.kind === "refused" || fate.kind === "expired") return true;
  if (!ports.isOnline()) return false;
  const wasHanded = fate.kind === "handed";
  // The chain's time first: a block that takes it after the look-up is no later.
  const clockMs = wasHanded ? await ports.chainMs() : ports.nowMs();
  if (wasHanded && (await ports.isOnChain(transaction.id))) return taken(ports, { key, transaction });
  if (clockMs - Date.parse(transaction.timestamp) > TX_WINDOW_MS) {
    await ports.messenger.setPaymentFate(key, { kind: "expired" });
    return true;
  }
  // It may have been taken back since the list was read.
  if (!wasHanded && !(await ports.messenger.setPaymentFate(key, { kind: "handed" }))) return true;
  const problem = await refusalOf(ports, transaction);
  if (problem === undefined || (await ports.isOnChain(transaction.id))) return taken(ports, { key, transaction });
  // Refused now says nothing about an earlier try without an answer: that one may be on its way through another node.
  if (wasHanded) return false;
  await ports.messenger.setPaymentFate(key, { kind: "refused", problem });
  return true;
}

/** Why the node does not take it; undefined where it does. @throws CodedError where there was no clear answer */
async function refusalOf({ submit }: SenderPorts, transaction: Transaction): Promise<MessengerProblem | undefined> {
  try {
    await submit(transaction);
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return problemOf(error);
  }
}

async function taken(ports: SenderPorts, { key, transaction }: Pick<HeldMessage, "key" | "transaction">): Promise<boolean> {
  await ports.messenger.releasePayment(key);
  ports.onTaken(transaction);
  return true;
}

/** True when the node has refused it: then it holds nothing of it. */
function isRefusal(error: unknown): boolean {
  return isCodedError(error) && error.status >= 400 && error.status < 500 && error.code !== "RATE_LIMITED";
}
