// Messages and contacts, through the messaging engine: in the page, or in an agent. Whom a connection may write to and what it may read is
// judged here; that a message is sent once, the engine sees to.
import type { AppBody, AppResponse } from "#shared/apps/api/apps-endpoints.ts";
import { MAX_NOT_AFTER_MS } from "#shared/apps/app-limits.ts";
import type { ConnectionView } from "#shared/apps/messages/apps-api.ts";
import type { MessageEntry, MessagesApi } from "#shared/apps/messages/messages-api.ts";
import { parseScopes } from "#shared/apps/scopes/parse-scopes.ts";
import { findScope } from "#shared/apps/scopes/scopes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { isHex, tryFromBase64 } from "#shared/util/bytes.ts";
import { observeChain, resolveRecipient } from "../chain/chain-reads.ts";
import { unixSeconds } from "../chain/own-account.ts";
import type { AppHandlers, AppReply } from "../http/app-handlers.ts";
import { conversationsOf, GROUP_PREFIX } from "../http/chosen-conversations.ts";
import type { GatewayServices } from "../services.ts";

const MESSAGE_KEY_BYTES = 16;

/** Handlers of `/apps/v1/messages` and `/apps/v1/contacts`. */
export function messageHandlers(services: GatewayServices): Pick<AppHandlers, "sendMessage" | "getMessage" | "listContacts"> {
  const { node } = services;

  async function isLate(notAfterS: number): Promise<boolean> {
    const { blockTimeMs } = await observeChain(node.client);
    if (notAfterS * 1000 > blockTimeMs + MAX_NOT_AFTER_MS)
      throw new CodedError("BAD_REQUEST", "not_after is at most 24 hours ahead", { details: { field: "not_after" } });
    return blockTimeMs > notAfterS * 1000;
  }

  return {
    sendMessage: async ({ connection, body }): Promise<AppReply<"sendMessage">> => {
      const api = messagesOf(services);
      requireAwake(connection);
      const scope = findScope(parseScopes(connection.scopes), "messages.send");
      if (scope === undefined) throw new CodedError("INVARIANT", "A connection without the scope was admitted");
      const to = body.to.startsWith(GROUP_PREFIX) ? body.to : await resolveRecipient(node.client, body.to);
      const isAllowed = scope.to === "chosen" ? conversationsOf(connection).includes(to) : await isReply(api, to, body.reply_to);
      if (!isAllowed)
        throw new CodedError("APP_SCOPE", "This connection may not write to this person", { details: { scope: "messages.send" } });
      const { text = "", reply_to: replyTo, idempotency_key: idempotencyKey } = body;
      const file = fileOf(body);
      const sent = await api.send({
        ...{ connection: connection.id, idempotencyKey, to, text, perDay: scope.rate, isLate: await isLate(body.not_after) },
        ...(file === undefined ? {} : { file }),
        ...(replyTo === undefined ? {} : { replyTo: messageKey(replyTo) }),
      });
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
