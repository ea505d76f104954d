// The node as linking needs it: mailboxes that belong to a linking alone, whose keys are at hand.
import type { LinkNode } from "#shared/linking/link-channel.ts";
import { formatInboxProof } from "#shared/protocol/mail/inbox-proof.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { NodeAccess } from "../node/access/node-access.ts";
import { createProofPolicy, deleteEnvelope } from "./messenger-node.ts";

/** Adapter over a connection. */
export function createLinkNode(node: NodeAccess, chainId: string): LinkNode {
  const { client } = node;
  const proofPolicy = createProofPolicy(node);
  return {
    chainId,
    broadcast: async (envelope): Promise<void> => {
      await client.broadcastEnvelope({ body: { envelope } });
    },
    list: async (mailbox, limit) => (await client.listInbox({ pub: toHex(mailbox.publicKey), limit })).items,
    remove: ({ secretKey, publicKey }, id) =>
      deleteEnvelope(
        client,
        {
          proofPolicy,
          inboxProof: async ({ method, path, relayPub }) => {
            const { x25519 } = await import("#shared/protocol/mail/envelope.ts");
            const secret = x25519(secretKey, fromHex(relayPub)) ?? new Uint8Array(0);
            return formatInboxProof(secret, { method, path, unixSeconds: Math.floor(Date.now() / 1000) });
          },
        },
        { pub: toHex(publicKey), envID: id },
      ),
  };
}
