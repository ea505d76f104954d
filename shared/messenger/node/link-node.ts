// The node as linking needs it: mailboxes that belong to a linking alone, whose keys are at hand.
import type { InboxProofRequest } from "#shared/keyring/keyring-api.ts";
import type { LinkNode } from "#shared/linking/link-channel.ts";
import type { BoxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { formatInboxProof, PROOF_NONCE_BYTES } from "#shared/protocol/mail/inbox-proof.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { createProofPolicy, deleteEnvelope, listInbox, type NodeConnection, type Proving } from "./messenger-node.ts";

/** Adapter over a connection. */
export function createLinkNode(node: NodeConnection, chainId: string): LinkNode {
  const { client } = node;
  const proofPolicy = createProofPolicy(node);
  const provingAs = ({ secretKey }: BoxKeyPair): Proving => ({ proofPolicy, inboxProof: (request) => proveWith(secretKey, request) });
  return {
    chainId,
    broadcast: async (envelope): Promise<void> => {
      await client.broadcastEnvelope({ body: { envelope } });
    },
    list: async (mailbox, limit) => (await listInbox(client, provingAs(mailbox), { pub: toHex(mailbox.publicKey), limit })).items,
    remove: (mailbox, id) => deleteEnvelope(client, provingAs(mailbox), { pub: toHex(mailbox.publicKey), envID: id }),
  };
}

async function proveWith(secretKey: Uint8Array, { method, path, relayPub }: InboxProofRequest): Promise<string> {
  const { x25519 } = await import("#shared/protocol/mail/envelope.ts");
  const secret = x25519(secretKey, fromHex(relayPub)) ?? new Uint8Array(0);
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(PROOF_NONCE_BYTES)));
  return formatInboxProof(secret, { method, path, unixSeconds: Math.floor(Date.now() / 1000), nonce });
}
