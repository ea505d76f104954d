// The node as linking needs it: mailboxes that belong to a linking alone, whose keys are at hand.
import type { LinkNode } from "#shared/linking/link-channel.ts";
import type { BoxCipher, BoxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";
import { loadedLate } from "#shared/util/loaded-late.ts";
import { handInTogether } from "./many-at-once.ts";
import { createProofPolicy, deleteEnvelope, listInbox, type NodeConnection, type Proving } from "./messenger-node.ts";
import type { RemoveEnvelope } from "./signed-deletions.ts";

/** Loaded with the first proof. */
const keys = loadedLate(() => import("./link-mailboxes.ts"));

/** Adapter over a connection. `cipher`: of the runtime, where it has a faster one than script. */
export function createLinkNode(node: NodeConnection, chainId: string, cipher?: BoxCipher): LinkNode {
  const { client } = node;
  const handIn = handInTogether(client);
  const proofPolicy = createProofPolicy(node);
  const removals = new Map<string, RemoveEnvelope>();
  const provingAs = ({ secretKey }: BoxKeyPair): Proving => ({
    proofPolicy,
    inboxProof: async (request) => (await keys()).proveWith(secretKey, request),
  });
  return {
    chainId,
    cipher,
    broadcast: async (envelope): Promise<void> => {
      await handIn({ envelope });
    },
    list: async (mailbox, limit) => (await listInbox(client, provingAs(mailbox), { pub: toHex(mailbox.publicKey), limit })).items,
    remove: async (mailbox, id): Promise<void> => {
      const pub = toHex(mailbox.publicKey);
      const { signedRemoval } = await keys();
      const removeHere: RemoveEnvelope = (_, envID) => deleteEnvelope(client, provingAs(mailbox), { pub, envID });
      const remove = removals.get(pub) ?? signedRemoval(client, chainId, { mailbox, removeHere });
      removals.set(pub, remove);
      await remove(pub, id);
    },
  };
}
