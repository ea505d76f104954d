// Errors of the database in coded form.
import { CodedError } from "#shared/errors/coded-error.ts";

/** Runs a call of the database. @throws CodedError LOCAL_STORE_FAILED with the cause. */
export async function storeCall<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : "unknown reason";
    throw new CodedError("LOCAL_STORE_FAILED", `The message store failed (${reason}); nothing that was stored was lost`, { cause });
  }
}
