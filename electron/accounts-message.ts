// What the keyring's process says by itself: whose vault it holds.
import { isHex } from "#shared/util/bytes.ts";

/** Public keys of the accounts in the vault; none while it is empty or damaged. */
export interface AccountsMessage {
  readonly type: "accounts";
  readonly accounts: readonly string[];
}

/** The accounts of a message; undefined for another one. */
export function accountsOf(message: unknown): readonly string[] | undefined {
  if (typeof message !== "object" || message === null || !("type" in message) || message.type !== "accounts") return undefined;
  const { accounts } = message as Partial<AccountsMessage>;
  return Array.isArray(accounts) && accounts.every((account) => isHex(account, 32)) ? accounts : undefined;
}
