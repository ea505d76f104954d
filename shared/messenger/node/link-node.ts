// The node as linking needs it: mailboxes that belong to a linking alone, whose keys are at hand.
import type { DeletionRequest, InboxProofRequest } from "#shared/keyring/keyring-api.ts";
import type { LinkNode } from "#shared/linking/link-channel.ts";
import type { BoxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { formatInboxProof, PROOF_NONCE_BYTES } from "#shared/protocol/mail/inbox-proof.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { createProofPolicy, deleteEnvelope, listInbox, type NodeConnection, type Proving } from "./messenger-node.ts";
import type { RemoveEnvelope } from "./signed-deletions.ts";

/** Adapter over a connection. */
export function createLinkNode(node: NodeConnection, chainId: string): LinkNode {
  const { client } = node;
  const proofPolicy = createProofPolicy(node);
  const removals = new Map<string, Promise<RemoveEnvelope>>();
  const provingAs = ({ secretKey }: BoxKeyPair): Proving => ({ proofPolicy, inboxProof: (request) => proveWith(secretKey, request) });
  return {
    chainId,
    broadcast: async (envelope): Promise<void> => {
      await client.broadcastEnvelope({ body: { envelope } });
    },
    list: async (mailbox, limit) => (await listInbox(client, provingAs(mailbox), { pub: toHex(mailbox.publicKey), limit })).items,
    remove: async (mailbox, id): Promise<void> => {
      const pub = toHex(mailbox.publicKey);
      await (await removalOf(pub, mailbox))(pub, id);
    },
  };

  /** Removes at all nodes by the signature of the mailbox's key, where the node takes that. */
  function removalOf(pub: string, mailbox: BoxKeyPair): Promise<RemoveEnvelope> {
    const known = removals.get(pub) ?? signedRemoval(node, chainId, { mailbox, removeHere });
    removals.set(pub, known);
    return known;

    function removeHere(_: string, envID: string): Promise<void> {
      return deleteEnvelope(client, provingAs(mailbox), { pub, envID });
    }
  }
}

/** Loaded with the first message that was read. */
async function signedRemoval(
  { client }: NodeConnection,
  chainId: string,
  { mailbox, removeHere }: { readonly mailbox: BoxKeyPair; readonly removeHere: RemoveEnvelope },
): Promise<RemoveEnvelope> {
  const [{ deletionsOf }, { signDeletion }] = await Promise.all([
    import("./signed-deletions.ts"),
    import("#shared/keyring/devices/sign-deletion.ts"),
  ]);
  // The secret is wiped by whoever signs with it.
  const sign = (request: DeletionRequest): Promise<string> =>
    Promise.resolve(signDeletion(mailbox.secretKey.slice(), request, (count) => crypto.getRandomValues(new Uint8Array(count))));
  return deletionsOf(client, { chainId, signDeletion: sign }, removeHere);
}

async function proveWith(secretKey: Uint8Array, { method, path, relayPub }: InboxProofRequest): Promise<string> {
  const { x25519 } = await import("#shared/protocol/mail/envelope.ts");
  const secret = x25519(secretKey, fromHex(relayPub)) ?? new Uint8Array(0);
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(PROOF_NONCE_BYTES)));
  return formatInboxProof(secret, { method, path, unixSeconds: Math.floor(Date.now() / 1000), nonce });
}
