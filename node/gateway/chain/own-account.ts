// The account that the keyring holds, and times as the interface writes them.
import type { AppsState } from "#shared/apps/messages/apps-api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AppsKeyring } from "../services.ts";
import type { ChainWatch } from "./chain-watch.ts";

/** The account. @throws CodedError APP_LOCKED while the keyring is locked */
export async function ownAccount({ api }: AppsKeyring, watch: ChainWatch): Promise<NonNullable<AppsState["account"]>> {
  const { account } = watch.state?.account ? watch.state : await api.state();
  if (account === null)
    throw new CodedError("APP_LOCKED", "Parley is locked: the person has to unlock it first", { details: { keyring: true } });
  return account;
}

/** Seconds since 1970. */
export function unixSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}
