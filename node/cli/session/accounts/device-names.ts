// Which device a text on the command line means: its X25519 key, or its name among the devices of the identity.
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isHex } from "#shared/util/bytes.ts";
import { onOneLine } from "../printing/printable-line.ts";

/** Key of a linked device. @throws CodedError NOT_FOUND for a name that no device has, BAD_REQUEST for one that several have. */
export async function resolveDevice(client: NodeClient, owner: PublicKeyHex, text: string): Promise<X25519KeyHex> {
  if (isHex(text.toLowerCase(), 32)) return text.toLowerCase();
  const { devices } = await client.listDevices({ master_pub: owner });
  const named = devices.filter(({ device_name }) => device_name === text);
  const [device] = named;
  if (named.length > 1)
    throw new CodedError(
      "BAD_REQUEST",
      `${named.length} devices are named ${text}: give the key of one, ${named.map(({ x25519_pub_key }) => x25519_pub_key).join(" or ")}`,
    );
  if (device !== undefined) return device.x25519_pub_key;
  const names = devices.map(({ device_name }) => onOneLine(device_name)).join(", ");
  throw new CodedError("NOT_FOUND", `No device is named ${text}: ${names === "" ? "there is none" : `there are ${names}`}`);
}
