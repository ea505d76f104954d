// Public cards at the node: publishing the own one, reading those of others.
import type { NodeClient } from "#shared/api/client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicCardOwner } from "#shared/protocol/pairs/card-id.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";

/** @throws CodedError FORBIDDEN where another card counts; NOT_FOUND where the node does not know cards. */
export async function publishCard(client: NodeClient, device: X25519KeyHex, card: Uint8Array): Promise<void> {
  await client.putCard({ device, body: { card: toBase64(card) } });
}

/** Undefined where there is none, or the node does not know cards. Nothing is checked. */
export async function readCard(client: NodeClient, { person, device }: PublicCardOwner): Promise<Uint8Array | undefined> {
  try {
    return fromBase64((await client.getCard({ device, master_pub: person })).card);
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}
