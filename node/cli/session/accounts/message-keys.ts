// The X25519 keys of a person: the devices when there are any, else the identity's own key.
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { PersonalKeys } from "../keys/key-file.ts";

/** Keys to seal a message for; none when the person has published no encryption key. */
export async function recipientKeys(client: NodeClient, masterPub: PublicKeyHex): Promise<readonly X25519KeyHex[]> {
  const { devices } = await client.listDevices({ master_pub: masterPub });
  if (devices.length > 0) return devices.map((device) => device.x25519_pub_key);
  const { x25519_pub: key } = await client.getIdentity({ pubkey: masterPub });
  return key === "" ? [] : [key];
}

/** Every key that a person may send from: all devices and the identity's own key. None for a key that the node takes for no account. */
export async function senderKeys(client: NodeClient, masterPub: PublicKeyHex): Promise<readonly X25519KeyHex[]> {
  try {
    const [{ devices }, { x25519_pub: own }] = await Promise.all([
      client.listDevices({ master_pub: masterPub }),
      client.getIdentity({ pubkey: masterPub }),
    ]);
    return [...devices.map((device) => device.x25519_pub_key), ...(own === "" ? [] : [own])];
  } catch (error) {
    if (error instanceof HttpError && (error.httpStatus === 400 || error.httpStatus === 404)) return [];
    throw error;
  }
}

/** Command that would make messages reach this key file's device, or undefined when they do. */
export async function missingPublication(client: NodeClient, keys: PersonalKeys): Promise<"register-key" | "link-device" | undefined> {
  const published = await recipientKeys(client, keys.publicKey);
  if (published.includes(toHex(keys.device.publicKey))) return undefined;
  // A person with linked devices gets messages on those only; registering a key would not add this one.
  return published.length === 0 ? "register-key" : "link-device";
}
