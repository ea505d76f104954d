// Pending transactions between two runs of a node: written when it ends in order, submitted again like any others at the next start.
import { readFileSync, renameSync, rmSync } from "node:fs";
import { systemErrorCode } from "#node/config/files/file-errors.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import type { Log } from "#node/observability/log.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** Submits like any client. @throws CodedError when the transaction is refused. */
export type SubmitPending = (raw: unknown) => Promise<unknown>;

const VERSION = 1;

/** Writes the transactions in their order of arrival; a failure is logged and loses them, but stops nothing. */
export function savePending(path: string, transactions: readonly Transaction[], log: Log): void {
  try {
    if (transactions.length === 0) rmSync(path, { force: true });
    else writeFileAtomic(path, `${JSON.stringify({ version: VERSION, transactions })}\n`);
  } catch (error) {
    log.warn({ err: error, pending: transactions.length }, "The pending transactions could not be stored for the next start");
  }
}

/**
 * Removes what {@link savePending} wrote and submits it, in this order: should a transaction end the process, the next start is without it.
 * A transaction that is no longer valid is left out; a damaged file is put aside with a warning.
 */
export async function restorePending(path: string, submit: SubmitPending, log: Log): Promise<void> {
  const transactions = readPending(path, log);
  if (transactions === undefined) return;
  rmSync(path, { force: true });
  // Those of one sender follow each other, as they did when they first arrived.
  const senders = Map.groupBy(transactions, ({ from }) => from);
  const counts = await Promise.all([...senders.values()].map((ofSender) => submitAll(ofSender, submit)));
  const restored = counts.reduce((sum, count) => sum + count, 0);
  log.info({ restored, dropped: transactions.length - restored }, "Pending transactions of the last run were restored");
}

async function submitAll(transactions: readonly Transaction[], submit: SubmitPending): Promise<number> {
  let accepted = 0;
  for (const tx of transactions) {
    try {
      await submit(tx);
      accepted += 1;
    } catch (error) {
      if (!isCodedError(error)) throw error;
    }
  }
  return accepted;
}

function readPending(path: string, log: Log): readonly Transaction[] | undefined {
  try {
    return parsePending(readFileSync(path, "utf8"));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    log.warn({ err: error }, `The pending transactions in ${path} cannot be read; the node starts without them`);
    putAside(path, log);
    return undefined;
  }
}

/** Only what submitting needs to sort them is checked here. @throws Error when the text is not of this form. */
function parsePending(text: string): readonly Transaction[] {
  const file = JSON.parse(text) as { readonly version?: unknown; readonly transactions?: unknown } | null;
  if (file?.version !== VERSION || !Array.isArray(file.transactions)) throw new TypeError("The file is not of this version");
  return file.transactions.map((tx: unknown) => {
    if (typeof tx !== "object" || tx === null) throw new TypeError("The file holds something else than transactions");
    return tx as Transaction;
  });
}

function putAside(path: string, log: Log): void {
  try {
    renameSync(path, `${path}.damaged`);
  } catch (error) {
    log.warn({ err: error }, `${path} could not be set aside`);
  }
}
