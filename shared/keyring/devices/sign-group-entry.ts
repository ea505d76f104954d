// What a device signs in the log of a group; loaded with the first entry. It reads what it signs: an entry of this device's own person.
import { CodedError } from "#shared/errors/coded-error.ts";
import { decodeEntry, type LogEntry } from "#shared/protocol/groups/log-entry.ts";
import type { EntryProof } from "#shared/protocol/groups/signed-entry.ts";
import type { GroupEntryRequest, KeyringAccount } from "../keyring-api.ts";
import type { DeviceCredentials } from "../vault/device-credentials.ts";

/**
 * The proof of an entry; null while the master key has not vouched for this device on the network.
 * @throws CodedError BAD_REQUEST for bytes that are no entry, an operation that this version does not know, or another author or device.
 */
export function signGroupEntry(
  credentials: DeviceCredentials,
  { masterPub, devicePub }: Pick<KeyringAccount, "masterPub" | "devicePub">,
  { chainId, entry }: GroupEntryRequest,
): EntryProof | null {
  const { author, device, change } = entryOf(entry);
  if (author !== masterPub || device !== devicePub) throw new CodedError("BAD_REQUEST", "An entry is signed by the device that wrote it");
  if (change.op === "unknown") throw new CodedError("BAD_REQUEST", "This version does not know what the entry does");
  return credentials.entryProof(chainId, entry);
}

function entryOf(bytes: Uint8Array): LogEntry {
  try {
    return decodeEntry(bytes);
  } catch {
    throw new CodedError("BAD_REQUEST", "This is no entry of a group");
  }
}
