// Whom money or property goes to: a name or address as everywhere, and no address made to be taken for one that was paid before.
import type { Command } from "commander";
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { findLookAlike } from "#shared/text/look-alike.ts";
import type { KeyFile } from "../keys/key-file.ts";
import { type AccountScope, resolveAccount } from "./account-names.ts";

/** Options of commands that give something to an account. */
export interface RecipientOptions {
  readonly to: string;
  readonly lookAlike?: boolean;
  /** Contract that resolves usernames, by id or name. */
  readonly registry?: string;
}

/** Newest transactions in which earlier recipients are looked for. */
const REMEMBERED = 1_000;
const PAYMENTS: ReadonlySet<string> = new Set(["TRANSFER", "CONTACT_REQUEST"]);

/** Adds --look-alike. */
export function withLookAlikeOption(command: Command): Command {
  return command.option("--look-alike", "also to an address that begins and ends like one that was paid before");
}

/** Key of the recipient. @throws CodedError TX_REJECTED for an address that resembles an earlier recipient's, unless that is accepted. */
export async function resolveRecipient(
  scope: AccountScope,
  { to, lookAlike: isAccepted, registry }: RecipientOptions,
  { publicKey: payer }: Pick<KeyFile, "publicKey">,
): Promise<PublicKeyHex> {
  const recipient = await resolveAccount(scope, to, registry);
  if (isAccepted === true || recipient === payer) return recipient;
  const found = findLookAlike(recipient, await earlierRecipients(scope.client, payer));
  if (found === undefined) return recipient;
  throw new CodedError(
    "TX_REJECTED",
    `${formatAddress(recipient)} begins and ends like ${formatAddress(found.known)}, which was paid before, and is another account: compare both in full, and add --look-alike if you mean it`,
  );
}

/** People that one chose oneself, never senders: anyone can send. */
async function earlierRecipients(client: NodeClient, payer: PublicKeyHex): Promise<ReadonlySet<PublicKeyHex>> {
  const history = await client.getAddress({ addr: payer, limit: REMEMBERED }).catch(ignoreMissing);
  const paid = history?.transactions.filter(
    ({ type, from, to, status }) => PAYMENTS.has(type) && from === payer && to !== payer && to !== "" && status === "ok",
  );
  return new Set(paid?.map(({ to }) => to));
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof HttpError && error.httpStatus === 404) return undefined;
  throw error;
}
