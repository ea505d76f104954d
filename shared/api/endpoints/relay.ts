// Mailbox and contact requests.
import * as Type from "typebox";
import { type EndpointGroup, endpoint, limitQuery, publicRead } from "../endpoint.ts";
import * as schema from "../schemas/relay.ts";

const tag = "Relay";
const boxKey = Type.String({ description: "X25519 public key, hex" });
const masterKey = Type.String({ description: "Ed25519 public key, hex, or wallet address" });
const deviceParam = Type.Object({ device: boxKey });
const contactsQuery = Type.Object({
  pub: masterKey,
  after: Type.Optional(Type.String({ maxLength: 160, description: "next_after of the page before" })),
  limit: limitQuery(5_000, 5_000),
});

export const relayEndpoints = {
  sendMessage: endpoint({
    tag,
    summary: "Seal a message with the node's own key and deliver it: not end-to-end",
    access: "mailbox",
    body: schema.SendRequest,
    response: schema.SendResult,
    errors: [503],
  }),
  broadcastEnvelope: endpoint({
    tag,
    summary: "Store a sealed envelope for its recipient",
    access: "mailbox",
    body: schema.BroadcastRequest,
    response: schema.BroadcastResult,
    errors: [404, 503],
  }),
  broadcastEnvelopes: endpoint({
    tag,
    summary: "Store sealed envelopes for their recipients, each as if it came alone",
    access: "mailbox",
    body: schema.BroadcastBatch,
    response: schema.BroadcastBatchResult,
    errors: [503],
  }),
  holdMail: endpoint({
    tag,
    summary: "Have this node send sealed envelopes at a time; for programs of the node's own machine or owner",
    access: "mailbox",
    body: schema.HoldRequest,
    response: schema.HoldResult,
    errors: [404, 503],
  }),
  withdrawMail: endpoint({
    tag,
    summary: "Take back envelopes that wait for their time, by their name",
    access: "mailbox",
    body: schema.WithdrawRequest,
    response: schema.WithdrawResult,
    errors: [404],
  }),
  openBox: endpoint({
    tag,
    summary: "Open a mailbox for what its write key signs, with room of its own, here and at other nodes",
    access: "mailbox",
    body: schema.SignedOpening,
    response: schema.BoxInfo,
    errors: [503],
  }),
  getBox: endpoint({
    tag,
    summary: "Whether a mailbox is open, and for which write key",
    access: "mailbox",
    query: Type.Object({ pub: boxKey }),
    response: schema.BoxInfo,
  }),
  listBoxes: endpoint({
    tag,
    summary: "Envelopes in many mailboxes, at most 2 MiB",
    access: "mailbox",
    body: schema.BoxList,
    response: schema.BoxesListed,
  }),
  putCard: endpoint({
    tag,
    summary: "Publish the public card of a device, here and at the nodes that keep it, in place of an earlier one",
    access: "mailbox",
    params: deviceParam,
    body: schema.PublishedCard,
    response: schema.CardPublished,
    errors: [503],
  }),
  getCard: endpoint({
    tag,
    summary: "The newest public card of a device of a person: what is sealed to it opens for a few days only",
    access: "mailbox",
    params: deviceParam,
    query: Type.Object({ master_pub: Type.String({ description: "Master key of the person, hex: two may publish the same device key" }) }),
    response: schema.PublicCardOf,
    errors: [404, 503],
  }),
  listInbox: endpoint({
    tag,
    summary: "Envelopes of a recipient key in order of arrival, at most 2 MiB; all of them with the header X-Inbox-Proof",
    access: "mailbox",
    query: Type.Object({
      pub: boxKey,
      since: Type.Optional(Type.Integer({ minimum: 0, description: "Unix seconds: only envelopes that arrived later" })),
      after: Type.Optional(Type.Integer({ minimum: 0, description: "Position: only envelopes that arrived after the item with this seq" })),
      limit: limitQuery(50, 500),
    }),
    response: schema.Inbox,
  }),
  countInbox: endpoint({
    tag,
    summary: "Number of envelopes of a recipient key",
    access: "mailbox",
    query: Type.Object({ pub: boxKey }),
    response: schema.InboxCount,
  }),
  deleteEnvelope: endpoint({
    tag,
    summary: "Remove an envelope: for good with the header X-Inbox-Proof, which other machines need",
    access: "mailbox",
    params: Type.Object({ envID: Type.String({ minLength: 1 }) }),
    query: Type.Object({ pub: boxKey }),
    response: schema.InboxDeleted,
  }),
  deleteEnvelopes: endpoint({
    tag,
    summary: "Remove envelopes here and at other nodes, by the signature of the mailbox's key",
    access: "mailbox",
    body: schema.SignedDeletion,
    response: schema.EnvelopesDeleted,
  }),
  listContacts: publicRead({
    tag: "Contacts",
    summary: "Contact requests that a key received, all statuses, oldest first; at most 2 MiB a page",
    unverified: "completeness",
    heavy: "always",
    query: Type.Object({
      ...contactsQuery.properties,
      include: Type.Optional(
        Type.Enum(["blocks"], { description: "blocks: also keys that this one blocked although they never asked, with fee_ut 0" }),
      ),
    }),
    response: schema.ContactList,
  }),
  listSentContacts: publicRead({
    tag: "Contacts",
    summary: "Contact requests that a key sent, all statuses, oldest first; at most 2 MiB a page",
    unverified: "completeness",
    heavy: "always",
    query: contactsQuery,
    response: schema.SentContactList,
  }),
} as const satisfies EndpointGroup;
