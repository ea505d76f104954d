// Errors of the database in coded form.
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";

/** Runs a call of the database. @throws CodedError LOCAL_STORE_FAILED with the cause. */
export async function storeCall<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : "unknown reason";
    throw new CodedError("LOCAL_STORE_FAILED", `The message store failed (${reason}); nothing that was stored was lost`, { cause });
  }
}

/** As browsers, SQLite and the file system name it. */
const NAMES = /QuotaExceeded|SQLITE_FULL|disk is full|ENOSPC/;

/** True for a write that failed for want of room. */
export function isStoreFull(error: unknown): boolean {
  if (isCodedError(error, "STORAGE_FULL")) return true;
  return isCodedError(error, "LOCAL_STORE_FAILED") && NAMES.test(`${error.message} ${String(error.cause)}`);
}
