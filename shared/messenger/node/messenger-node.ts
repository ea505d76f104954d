// The node as the messenger needs it, over the typed client and the live connection.

import type { Input, Output } from "#shared/api/api.ts";
import { type CallOptions, type NodeClient, requestOf } from "#shared/api/client.ts";
import type { LiveConnection } from "#shared/api/socket/websocket-client.ts";
import type { DeletionRequest, InboxProofRequest } from "#shared/keyring/keyring-api.ts";
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import { loadedLate } from "#shared/util/loaded-late.ts";
import type { BoxPage, ContactLists, HeldState, InboxPage, KeyPublication, MessengerNode, TransferSearch } from "../model/node-port.ts";
import { readAllContacts } from "./all-contacts.ts";
import { handInTogether, keysOfPeople } from "./many-at-once.ts";
import type { NodeBoxes } from "./node-boxes.ts";
import type { RemoveEnvelope } from "./signed-deletions.ts";

/** Name of the header, written here so that the page does not load how a node checks it. */
const INBOX_PROOF_HEADER = "x-inbox-proof";

/** Both ways to a node. */
export interface NodeConnection {
  readonly client: NodeClient;
  readonly live: LiveConnection;
}

/** What the adapter needs besides the connection. */
export interface MessengerNodeOptions {
  readonly chainId: string;
  readonly previousChainId?: string | undefined;
  /** Value of the header X-Inbox-Proof. */
  readonly inboxProof: (request: InboxProofRequest) => Promise<string>;
  /** Base64 signature of the own mailbox's key. */
  readonly signDeletion: (request: DeletionRequest) => Promise<string>;
}

/** Adapter over a connection. */
export function createMessengerNode(node: NodeConnection, options: MessengerNodeOptions): MessengerNode {
  const { client, live } = node;
  // Loaded with the first box of a device.
  const boxes = loadedLate(async (): Promise<NodeBoxes> => (await import("./node-boxes.ts")).boxesOf(node));
  const cards = loadedLate(() => import("./node-cards.ts"));
  const removeHere: RemoveEnvelope = (pub, envID) => deleteEnvelope(client, proving, { pub, envID });
  const proving: Proving = { proofPolicy: createProofPolicy(node), inboxProof: options.inboxProof };
  const deletions = loadedLate(async () => (await import("./signed-deletions.ts")).deletionsOf(client, options, removeHere));
  const handIn = handInTogether(client);
  return {
    chainId: options.chainId,
    previousChainId: options.previousChainId,
    publishedKeys: keysOfPeople(client),
    keyPublication: async (masterPub, key, addedAt): Promise<KeyPublication> => {
      // Loaded with the first device that nothing else vouches for.
      const { findPublication } = await import("./find-publication.ts");
      return findPublication(client, { masterPub, key, addedAt });
    },
    ownerTransfer: async (wanted): Promise<TransferSearch> => {
      // Loaded with the first group that is passed on.
      const { findOwnerTransfer } = await import("./find-owner-transfer.ts");
      return findOwnerTransfer(client, wanted);
    },
    contacts: async (master): Promise<ContactLists> => {
      const received = await readAllContacts((page) => client.listContacts({ pub: master, include: "blocks", ...page }));
      const sent = await readAllContacts((page) => client.listSentContacts({ pub: master, ...page }));
      return {
        received: received.map(({ requester_pub, status }) => ({ peer: requester_pub, status: statusOf(status) })),
        sent: sent.map(({ recipient_pub, status }) => ({ peer: recipient_pub, status: statusOf(status) })),
      };
    },
    broadcast: async ({ admit, ...envelope }): Promise<void> => {
      if (admit !== undefined) await (await boxes()).require(envelope.recipient_pub);
      await handIn({ envelope, ...(admit !== undefined && { admit }) });
    },
    ...holding(client),
    publishCard: async (device, card): Promise<void> => (await cards()).publishCard(client, device, card),
    publicCard: async (owner): Promise<Uint8Array | undefined> => (await cards()).readCard(client, owner),
    openBox: async (opening): Promise<void> => (await boxes()).open(opening),
    listBoxes: async (listed, limit): Promise<BoxPage> => (await boxes()).list(listed, limit),
    listInbox: async (recipient, { after, limit }): Promise<InboxPage> => {
      const page = await listInbox(client, proving, { pub: recipient, after, limit });
      return { items: page.items, hasMore: page.has_more, isComplete: page.complete !== false };
    },
    deleteEnvelope: async (pub, id, box): Promise<void> => {
      await (await deletions())(pub, id, box);
    },
    deleteSigned: async ({ mailbox: pub, ids, height, signature }): Promise<void> => {
      await client.deleteEnvelopes({ body: { pub, ids: [...ids], height, signature } });
    },
    subscribeInbox: (recipient, listener) => {
      const stops = [
        live.subscribe(`inbox:${recipient}`, listener),
        live.onState((state) => {
          if (state === "open") listener();
        }),
      ];
      return (): void => {
        for (const stop of stops) stop();
      };
    },
    newestBlock: () => newestBelow(client),
    blockHash: async (index): Promise<HashHex | undefined> => {
      const block = await newestBelow(client, index + 1);
      return block?.height === index ? block.hash : undefined;
    },
    sendTyping: (to, from): void => live.sendTyping(to, from),
    subscribeTyping: (recipient, listener) => live.subscribe(`typing:${recipient}`, ({ from }) => listener(from)),
    isOnline: () => live.state === "open",
    onOnline: (listener) => live.onState((state) => listener(state === "open")),
  };
}

/** Copies that the node holds until their time. */
function holding(client: NodeClient): Pick<MessengerNode, "hold" | "withdraw"> {
  return {
    hold: async ({ name, notBefore, envelopes }): Promise<HeldState<"held" | "left">> => {
      const { status, relay_pub } = await client.holdMail({ body: { name, not_before: notBefore, envelopes: [...envelopes] } });
      return { status: status === "left" ? "left" : "held", relayPub: relay_pub };
    },
    withdraw: async (name): Promise<HeldState<"withdrawn" | "left" | "unknown">> => {
      const { status, relay_pub } = await client.withdrawMail({ body: { name } });
      return { status: status === "left" || status === "withdrawn" ? status : "unknown", relayPub: relay_pub };
    },
  };
}

async function newestBelow(client: NodeClient, before?: number): Promise<(Checkpoint & { readonly timeS?: number }) | undefined> {
  const [block] = await client.listBlocks({ limit: 1, ...(before && { before }) });
  const timeS = block && Math.floor(Date.parse(block.time) / 1000);
  return block && { height: block.index, hash: block.hash, ...(Number.isSafeInteger(timeS) && { timeS }) };
}

/** An envelope in a mailbox. */
export interface EnvelopeAddress {
  readonly pub: string;
  readonly envID: string;
}

/** How a mailbox key is proven where the node asks for that. */
export interface Proving {
  readonly proofPolicy: () => Promise<ProofPolicy>;
  readonly inboxProof: MessengerNodeOptions["inboxProof"];
}

/** Deletes an envelope for good. */
export async function deleteEnvelope(client: NodeClient, proving: Proving, input: EnvelopeAddress): Promise<void> {
  await client.deleteEnvelope(input, await proofOf(proving, "deleteEnvelope", { envID: input.envID }));
}

/** Lists a mailbox as its owner sees it. */
export async function listInbox(client: NodeClient, proving: Proving, input: Input<"listInbox">): Promise<Output<"listInbox">> {
  return client.listInbox(input, await proofOf(proving, "listInbox", {}));
}

/** The header with the proof of the mailbox's key, where the node requires one. It covers the path, not the query. */
async function proofOf(
  { proofPolicy, inboxProof }: Proving,
  operation: "listInbox" | "deleteEnvelope",
  input: Readonly<Record<string, string>>,
): Promise<CallOptions> {
  const { isNeeded, relayPub } = await proofPolicy();
  if (!isNeeded) return {};
  const { method, path } = requestOf(operation, input);
  return { headers: { [INBOX_PROOF_HEADER]: await inboxProof({ method, path, relayPub }) } };
}

/** What the node requires of an owner who reads and empties a mailbox. */
export interface ProofPolicy {
  readonly isNeeded: boolean;
  readonly relayPub: string;
}

/** What the node asks for, asked once a connection: it may be another node after a reconnect. */
export function createProofPolicy(node: NodeConnection): () => Promise<ProofPolicy> {
  let known: Promise<ProofPolicy> | undefined;
  node.live.onState(() => {
    known = undefined;
  });
  const ask = async (): Promise<ProofPolicy> => {
    const status = await node.client.getStatus({});
    return { isNeeded: status.inbox_auth_required, relayPub: status.relay_pub };
  };
  return async () => {
    known ??= ask();
    try {
      return await known;
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
}

function statusOf(status: string): "pending" | "accepted" | "blocked" {
  return status === "accepted" || status === "blocked" ? status : "pending";
}
