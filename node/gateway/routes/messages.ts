// Messages and contacts, through the messaging engine: in the page, or in an agent. Whom a connection may write to and what it may read is
// judged here; that a message is sent once, the keyring's journal and the engine see to.
import type { AppBody, AppResponse } from "#shared/apps/api/apps-endpoints.ts";
import type { ConnectionView, MessageClaim, MessageVerdict } from "#shared/apps/messages/apps-api.ts";
import type { MessageEntry, MessagesApi, SentMessageEntry } from "#shared/apps/messages/messages-api.ts";
import { parseScopes } from "#shared/apps/scopes/parse-scopes.ts";
import { findScope } from "#shared/apps/scopes/scopes.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { isHex, toHex, tryFromBase64, utf8 } from "#shared/util/bytes.ts";
import { resolveRecipient } from "../chain/chain-reads.ts";
import type { ChainWatch } from "../chain/chain-watch.ts";
import { unixSeconds } from "../chain/own-account.ts";
import type { AppHandlers, AppReply } from "../http/app-handlers.ts";
import { conversationsOf, GROUP_PREFIX } from "../http/chosen-conversations.ts";
import type { GatewayServices } from "../services.ts";

const MESSAGE_KEY_BYTES = 16;
const BODY_HASH_BYTES = 16;
/** With these the engine says that it has not sent it. */
const REFUSALS = ["BAD_REQUEST", "NOT_FOUND", "APP_DENIED", "APP_TOO_LATE", "APP_KEY_REUSED"] as const;

interface Sending {
  readonly token: string;
  readonly connection: ConnectionView;
  readonly body: AppBody<"sendMessage">;
  /** The conversation that its recipient stands for now; or why it may not be written to now, which a known order does not ask. */
  readonly to: string | CodedError;
}

/** Handlers of `/apps/v1/messages` and `/apps/v1/contacts`. */
export function messageHandlers(
  services: GatewayServices,
  watch: ChainWatch,
): Pick<AppHandlers, "sendMessage" | "getMessage" | "listContacts"> {
  const { node, keyring } = services;

  /** The journal takes it, the engine sends it, the journal says so: what the journal has as sent is not sent again. */
  async function send({ token, connection, body, to }: Sending): Promise<SentMessageEntry> {
    const { text = "", reply_to: replyTo, idempotency_key: idempotencyKey, not_after: notAfter } = body;
    const file = fileOf(body);
    const order = { idempotencyKey, text, ...(file && { file }), ...(replyTo === undefined ? {} : { replyTo: messageKey(replyTo) }) };
    // The keyring judges by the chain's time.
    if (watch.state === undefined) await watch.refresh();
    const claim = { token, idempotencyKey, notAfterMs: notAfter * 1000, bodyHash: hashOf(body) };
    const verdict = await (typeof to === "string" ? keyring.api.orderMessage({ ...claim, to }) : knownVerdict(claim, to));
    const settle = (isSent: boolean): Promise<void> =>
      verdict.mode === "sent" ? Promise.resolve() : keyring.api.settleMessage({ token, idempotencyKey, isSent });
    try {
      const sent = await messagesOf(services).send({ ...order, ...verdict, connection: connection.id });
      await settle(true);
      return sent;
    } catch (error) {
      // What else failed may have been sent: the same order takes it up again.
      if (isCodedError(error, ...REFUSALS)) await settle(false);
      throw error;
    }
  }

  /** What the journal has of an order that could not be given now. @throws CodedError of the refusal where it has none */
  async function knownVerdict(claim: Omit<MessageClaim, "to">, refusal: CodedError): Promise<MessageVerdict> {
    try {
      return await keyring.api.orderMessage({ ...claim, to: null });
    } catch (error) {
      throw isCodedError(error, "NOT_FOUND") ? refusal : error;
    }
  }

  /** @throws CodedError NOT_FOUND, APP_SCOPE, BAD_REQUEST. */
  async function recipientOf(api: MessagesApi, connection: ConnectionView, body: AppBody<"sendMessage">): Promise<string> {
    const scope = findScope(parseScopes(connection.scopes), "messages.send");
    if (scope === undefined) throw new CodedError("INVARIANT", "A connection without the scope was admitted");
    const to = body.to.startsWith(GROUP_PREFIX) ? body.to : await resolveRecipient(node.client, body.to);
    const isAllowed = scope.to === "chosen" ? conversationsOf(connection).includes(to) : await isReply(api, to, body.reply_to);
    if (isAllowed) return to;
    throw new CodedError("APP_SCOPE", "This connection may not write to this person", { details: { scope: "messages.send" } });
  }

  return {
    sendMessage: async ({ token, connection, body }): Promise<AppReply<"sendMessage">> => {
      const api = messagesOf(services);
      requireAwake(connection);
      const to = await recipientOf(api, connection, body).catch((error: unknown) => {
        if (isCodedError(error, "NOT_FOUND", "APP_SCOPE")) return error;
        throw error;
      });
      const sent = await send({ token, connection, body, to });
      return { body: { ...viewOf(sent), replayed: sent.isReplayed } };
    },
    getMessage: async ({ connection, params }): Promise<AppReply<"getMessage">> => {
      requireAwake(connection);
      const entry = await messagesOf(services).read({ id: messageKey(params.id) });
      const isOfConnection =
        conversationsOf(connection).includes(entry.conversation) &&
        entry.arrivedAtMs !== null &&
        entry.arrivedAtMs >= connection.createdAtMs;
      if (!isOfConnection) throw noMessage();
      return { body: viewOf(entry) };
    },
    listContacts: async ({ connection }): Promise<AppReply<"listContacts">> => {
      requireAwake(connection);
      const contacts = (await messagesOf(services).contacts()).filter(({ publicKey }) => connection.chosen.includes(publicKey));
      return {
        body: { contacts: contacts.map(({ publicKey, name }) => ({ pub_key: publicKey, address: formatAddress(publicKey), name })) },
      };
    },
  };
}

function messagesOf({ messages }: GatewayServices): MessagesApi {
  if (messages === undefined)
    throw new CodedError("MESSENGER_UNAVAILABLE", "This version of Parley does not let programs read or write messages yet");
  return messages.api;
}

/** The message that is answered came from there. */
async function isReply(api: MessagesApi, to: string, id: string | undefined): Promise<boolean> {
  if (id === undefined) return false;
  const { conversation, isOwn } = await api.read({ id: messageKey(id) });
  return conversation === to && !isOwn;
}

function requireAwake({ isResting }: ConnectionView): void {
  if (isResting) throw new CodedError("APP_LOCKED", "The person has to confirm this connection first", { details: { rest: true } });
}

function messageKey(id: string): string {
  if (!isHex(id, MESSAGE_KEY_BYTES)) throw noMessage();
  return id;
}

function noMessage(): CodedError {
  return new CodedError("NOT_FOUND", "This connection has no such message");
}

/** What the order is remembered by, as it was written. */
function hashOf({ to, text = "", reply_to: replyTo = "", file }: AppBody<"sendMessage">): string {
  const body = JSON.stringify(["message", to, text, replyTo, file?.name ?? "", file?.base64 ?? ""]);
  return toHex(sha256(utf8(body)).subarray(0, BODY_HASH_BYTES));
}

function fileOf({ file }: AppBody<"sendMessage">): { readonly name: string; readonly bytes: Uint8Array } | undefined {
  if (file === undefined) return undefined;
  const bytes = tryFromBase64(file.base64);
  if (bytes === undefined) throw new CodedError("BAD_REQUEST", "The file is not base64", { details: { field: "file" } });
  return { name: file.name, bytes };
}

function viewOf({ id, from, conversation, atMs, text, file, state }: MessageEntry): AppResponse<"getMessage"> {
  return {
    ...{ id, from, conversation, sent_at: unixSeconds(atMs) },
    ...(text === null ? {} : { text }),
    ...(file === null ? {} : { file }),
    ...(state === null ? {} : { state }),
  };
}
