// Proofs and deletions by the keys of the mailboxes of a linking; loaded with the first of them.
import type { NodeClient } from "#shared/api/client.ts";
import { signDeletion } from "#shared/keyring/devices/sign-deletion.ts";
import type { DeletionRequest, InboxProofRequest } from "#shared/keyring/keyring-api.ts";
import { type BoxKeyPair, x25519 } from "#shared/protocol/mail/envelope.ts";
import { formatInboxProof, PROOF_NONCE_BYTES } from "#shared/protocol/mail/inbox-proof.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { deletionsOf, type RemoveEnvelope } from "./signed-deletions.ts";

/** Proves the key of a mailbox to a node. */
export async function proveWith(secretKey: Uint8Array, { method, path, relayPub }: InboxProofRequest): Promise<string> {
  const secret = x25519(secretKey, fromHex(relayPub)) ?? new Uint8Array(0);
  const nonce = toHex(randomBytes(PROOF_NONCE_BYTES));
  return formatInboxProof(secret, { method, path, unixSeconds: Math.floor(Date.now() / 1000), nonce });
}

/** Removes what was read in a mailbox at all nodes by the signature of its key; at this node alone where that is not taken. */
export function signedRemoval(
  client: NodeClient,
  chainId: string,
  { mailbox, removeHere }: { readonly mailbox: BoxKeyPair; readonly removeHere: RemoveEnvelope },
): RemoveEnvelope {
  // The secret is wiped by whoever signs with it.
  const sign = async (request: DeletionRequest): Promise<string> => signDeletion(mailbox.secretKey.slice(), request, randomBytes);
  return deletionsOf(client, { chainId, signDeletion: sign }, removeHere);
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
