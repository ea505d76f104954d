// What the owner of a mailbox signs to delete; loaded with the first deletion.
import { deletionSignBytes } from "#shared/protocol/mail/box-proof.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { signXEd25519, XEDDSA_RANDOM_BYTES } from "#shared/protocol/mail/xeddsa.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { DeletionRequest } from "../keyring-api.ts";
import { wipe } from "../vault/vault-secrets.ts";

/** Base64 signature by a mailbox's secret, which is wiped. */
export function signDeletion(secretKey: Uint8Array, { chainId, ids, height }: DeletionRequest, random: RandomBytes): string {
  const mailbox = toHex(boxKeyPair(secretKey).publicKey);
  const signature = signXEd25519(deletionSignBytes(chainId, { mailbox, ids, height }), secretKey, random(XEDDSA_RANDOM_BYTES));
  wipe(secretKey);
  return toBase64(signature);
}
