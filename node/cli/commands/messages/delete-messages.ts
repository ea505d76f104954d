// Deletes what was printed: by signatures of the mailbox's key, which all nodes take, and one by one where the node takes none.
import type { NodeClient } from "#shared/api/client.ts";
import { signDeletion } from "#shared/keyring/devices/sign-deletion.ts";
import { deletionsOf, type RemoveEnvelope } from "#shared/messenger/node/signed-deletions.ts";
import type { BoxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";

export interface DeletingOptions {
  readonly chainId: string;
  /** Key of the mailbox. */
  readonly device: BoxKeyPair;
  readonly random: RandomBytes;
  /** Deletes one at this node alone. */
  readonly removeHere: RemoveEnvelope;
}

/** Deletes envelopes of a mailbox. Throws what the node answered, where it refused. */
export async function deleteMessages(client: NodeClient, ids: readonly string[], options: DeletingOptions): Promise<void> {
  const { chainId, device, random, removeHere } = options;
  let before: Promise<void> = Promise.resolve();
  // One after the other: a node that takes no signatures counts the requests of a client.
  const inTurn: RemoveEnvelope = (mailbox, id) => {
    before = before.then(() => removeHere(mailbox, id));
    return before;
  };
  const remove = deletionsOf(
    client,
    { chainId, signDeletion: async (request) => signDeletion(device.secretKey.slice(), request, random) },
    inTurn,
  );
  const mailbox = toHex(device.publicKey);
  await Promise.all(ids.map((id) => remove(mailbox, id)));
}
