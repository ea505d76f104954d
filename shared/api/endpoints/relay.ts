// Mailbox and contact requests.
import Type from "typebox";
import { endpoint, limitQuery, NoBody, NoFields } from "../endpoint.ts";
import * as schema from "../schemas/relay.ts";

const tag = "Relay";
const boxKey = Type.String({ description: "X25519 public key, hex" });
const masterKey = Type.String({ description: "Ed25519 public key, hex, or wallet address" });

export const relayEndpoints = {
  sendMessage: endpoint({
    method: "POST",
    path: "/relay/send",
    tag,
    summary: "Seal a message with the node's own key and deliver it: not end-to-end",
    access: "read",
    params: NoFields,
    query: NoFields,
    body: schema.SendRequest,
    response: schema.SendResult,
    errors: [503],
  }),
  broadcastEnvelope: endpoint({
    method: "POST",
    path: "/relay/broadcast",
    tag,
    summary: "Store a sealed envelope for its recipient",
    access: "read",
    params: NoFields,
    query: NoFields,
    body: schema.BroadcastRequest,
    response: schema.BroadcastResult,
    errors: [503],
  }),
  listInbox: endpoint({
    method: "GET",
    path: "/relay/inbox",
    tag,
    summary: "Envelopes of a recipient key in order of arrival",
    access: "read",
    params: NoFields,
    query: Type.Object({
      pub: boxKey,
      since: Type.Optional(Type.Integer({ minimum: 0, description: "Unix seconds: only envelopes newer than this" })),
      limit: limitQuery(50, 500),
    }),
    body: NoBody,
    response: schema.Inbox,
    errors: [],
  }),
  countInbox: endpoint({
    method: "GET",
    path: "/relay/inbox/count",
    tag,
    summary: "Number of envelopes of a recipient key",
    access: "read",
    params: NoFields,
    query: Type.Object({ pub: boxKey }),
    body: NoBody,
    response: schema.InboxCount,
    errors: [],
  }),
  deleteEnvelope: endpoint({
    method: "DELETE",
    path: "/relay/inbox/:envID",
    tag,
    summary: "Remove an envelope; from another machine with the header X-Inbox-Proof",
    access: "read",
    params: Type.Object({ envID: Type.String({ minLength: 1 }) }),
    query: Type.Object({ pub: boxKey }),
    body: NoBody,
    response: schema.InboxDeleted,
    errors: [],
  }),
  listContacts: endpoint({
    method: "GET",
    path: "/relay/contacts",
    tag: "Contacts",
    summary: "Contact requests that a key received, all statuses",
    access: "read",
    params: NoFields,
    query: Type.Object({ pub: masterKey }),
    body: NoBody,
    response: schema.ContactList,
    errors: [],
  }),
  listSentContacts: endpoint({
    method: "GET",
    path: "/relay/contacts/sent",
    tag: "Contacts",
    summary: "Contact requests that a key sent, all statuses",
    access: "read",
    params: NoFields,
    query: Type.Object({ pub: masterKey }),
    body: NoBody,
    response: schema.SentContactList,
    errors: [],
  }),
} as const;
