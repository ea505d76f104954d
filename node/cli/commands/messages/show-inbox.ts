// The messages that wait for a device: fetched with a proof of its key, opened, printed, and deleted when that is asked for.
import { type CallOptions, HttpError, type NodeClient, requestOf } from "#shared/api/client.ts";
import { INBOX_PROOF_HEADER } from "#shared/api/inbox-proof.ts";
import type { RemoveEnvelope } from "#shared/messenger/node/signed-deletions.ts";
import { type BoxKeyPair, x25519 } from "#shared/protocol/mail/envelope.ts";
import { formatInboxProof, PROOF_NONCE_BYTES } from "#shared/protocol/mail/inbox-proof.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { shownAccount } from "../../session/accounts/account-names.ts";
import { missingPublication, senderKeys } from "../../session/accounts/message-keys.ts";
import { type ClientOptions, connect, type KeyOptions, report, unlockKeys } from "../../session/client-session.ts";
import { onOneLine } from "../../session/printing/printable-line.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { type InboxItem, type OpenedMessage, openMessage } from "./open-message.ts";

/** Options of the command. */
export interface InboxOptions extends ClientOptions, KeyOptions {
  readonly limit: number;
  readonly delete?: boolean;
}

interface ListedMessage extends OpenedMessage {
  readonly id: string;
  readonly sender_pub: string;
  readonly sender_ed25519_pub: string;
  /** True when the chain lists `sender_pub` as a key of the claimed sender. */
  readonly sender_verified: boolean;
  readonly sent_at: number;
  readonly sent_at_human: string;
}

/** Prints the waiting messages. */
export async function showInbox(context: CommandContext, options: InboxOptions): Promise<void> {
  const keys = await unlockKeys(context, options);
  const client = await connect(context, options);
  const pub = toHex(keys.device.publicKey);
  const prove = await mailboxProver(context, client, keys.device);
  const { items, has_more } = await listUpTo(client, { pub, limit: options.limit }, () => prove("listInbox", {}));
  const { chain_id, previous_chain_id } = await client.getNetworkInfo({});
  const chainIds = [chain_id, ...(previous_chain_id === undefined ? [] : [previous_chain_id])];
  const messages = await openAll(client, items, (item) => openMessage(item, keys, chainIds));
  const missing = items.length === 0 ? await missingPublication(client, keys) : undefined;
  if (missing !== undefined)
    context.terminal.err(
      `This key file's encryption key is not published, so it receives no messages: run "parley ${missing} --key ${options.key}" once.`,
    );
  const isDeleting = options.delete === true;
  report(context, options, { pub, count: messages.length, has_more, deleted: isDeleting, items: messages }, linesOf(context, messages));
  if (isDeleting && items.length > 0) {
    const { deleteMessages } = await import("./delete-messages.ts");
    const removeHere: RemoveEnvelope = async (mailbox, id) => {
      await client.deleteEnvelope({ envID: id, pub: mailbox }, prove("deleteEnvelope", { envID: id }));
    };
    const ids = items.map(({ id }) => id);
    await deleteMessages(client, ids, { chainId: chain_id, device: keys.device, random: context.random, removeHere });
  }
  if (has_more) context.terminal.err("There are more: raise --limit, or remove these with --delete.");
}

async function openAll(
  client: NodeClient,
  items: readonly InboxItem[],
  open: (item: InboxItem) => OpenedMessage,
): Promise<readonly ListedMessage[]> {
  const known = new Map<string, Promise<readonly string[]>>();
  const keysOf = (sender: string): Promise<readonly string[]> => {
    const keys = known.get(sender) ?? senderKeys(client, sender);
    known.set(sender, keys);
    return keys;
  };
  return await Promise.all(
    items.map(async ({ id, sent_at, sent_at_human, ...item }) => {
      const opened = open({ id, sent_at, sent_at_human, ...item });
      const { sender_pub, sender_ed25519_pub } = { ...item, ...opened };
      const sender_verified = sender_ed25519_pub !== "" && (await keysOf(sender_ed25519_pub)).includes(sender_pub);
      return { id, sender_pub, sender_ed25519_pub, sender_verified, sent_at, sent_at_human, ...opened };
    }),
  );
}

function linesOf(context: CommandContext, messages: readonly ListedMessage[]): readonly string[] {
  if (messages.length === 0) return ["No messages."];
  return messages.map((message) => `${message.sent_at_human}  ${partiesOf(context, message)}: ${contentOf(message)}`);
}

function partiesOf(context: CommandContext, { sender_ed25519_pub: master, sender_pub, sender_verified, peer }: ListedMessage): string {
  if (peer !== undefined) return `you to ${shownAccount(context, peer)}`;
  return master === ""
    ? `unknown sender ${sender_pub}`
    : sender_verified
      ? shownAccount(context, master)
      : `${formatAddress(master)} (not verified)`;
}

function contentOf({ kind, text }: ListedMessage): string {
  if (text !== null) return onOneLine(text);
  return kind === "unreadable" ? "(cannot be opened with this key)" : `(${kind})`;
}

/** Makes the header that proves the mailbox's key for one request, where the node requires it. */
type MailboxProver = (operation: "listInbox" | "deleteEnvelope", input: Readonly<Record<string, string>>) => CallOptions;

async function mailboxProver({ clock, random }: CommandContext, client: NodeClient, device: BoxKeyPair): Promise<MailboxProver> {
  // A node of another make may not have this endpoint, and then requires no proof.
  const status = await client.getStatus({}).catch(ignoreMissing);
  const secret = status?.inbox_auth_required === true ? x25519(device.secretKey, fromHex(status.relay_pub)) : undefined;
  if (secret === undefined) return () => ({});
  return (operation, input) => {
    const { method, path } = requestOf(operation, input);
    const once = { unixSeconds: Math.floor(clock.nowMs() / 1000), nonce: toHex(random(PROOF_NONCE_BYTES)) };
    return { headers: { [INBOX_PROOF_HEADER]: formatInboxProof(secret, { method, path, ...once }) } };
  };
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof HttpError && error.httpStatus === 404) return undefined;
  throw error;
}

/** Page after page: a node ends one before it grows too large. */
async function listUpTo(
  client: NodeClient,
  { pub, limit }: { readonly pub: string; readonly limit: number },
  prove: () => CallOptions,
): Promise<{ readonly items: readonly InboxItem[]; readonly has_more: boolean }> {
  const items: InboxItem[] = [];
  for (;;) {
    const last: number | undefined = items.at(-1)?.seq;
    const page = await client.listInbox({ pub, limit: limit - items.length, ...(last === undefined ? {} : { after: last }) }, prove());
    items.push(...page.items);
    const isLast = !page.has_more || page.items.at(-1)?.seq === undefined || items.length >= limit;
    if (isLast) return { items, has_more: page.has_more };
  }
}
