import { beforeEach, describe, expect, it } from "vitest";
import type { Keyring } from "#shared/keyring/keyring.ts";
import { encodeEntry, type LogEntry } from "#shared/protocol/groups/log-entry.ts";
import { decodeSignedEntry, encodeSignedEntry, isGenuineEntry } from "#shared/protocol/groups/signed-entry.ts";
import { createTestKeyring } from "#test/support/worlds/keyring-world.ts";

const PASSWORD = "seven purple kettles sing";
const CHAIN = "parley-test";

let keyring: Keyring;
let entry: LogEntry;

beforeEach(async () => {
  ({ keyring } = createTestKeyring());
  await keyring.create({ password: PASSWORD });
  const { account } = await keyring.status();
  const change = { op: "add", at: 1, people: ["ab".repeat(32)] } as const;
  const own = { author: account?.masterPub ?? "", device: account?.devicePub ?? "" };
  entry = { group: "07".repeat(16), n: 2, prev: ["0a".repeat(32)], ...own, height: 3, change };
});

describe("the keyring", () => {
  it("signs an entry of its own person and device, also while the wallet is locked", async () => {
    await keyring.signedPrekey({ chainId: CHAIN });
    await keyring.lockWallet();
    const bytes = encodeEntry(entry);
    const proof = await keyring.signGroupEntry({ chainId: CHAIN, entry: bytes });
    const signed = proof && decodeSignedEntry(encodeSignedEntry(bytes, proof));
    expect(signed?.entry).toEqual(entry);
    expect(signed && isGenuineEntry(signed, [CHAIN])).toBe(true);
    expect(signed && isGenuineEntry(signed, ["another"])).toBe(false);
  });

  it("signs none before the wallet was open on the network, and none while it is locked", async () => {
    expect(await keyring.signGroupEntry({ chainId: "another", entry: encodeEntry(entry) })).toBeNull();
    await keyring.lock();
    await expect(keyring.signGroupEntry({ chainId: CHAIN, entry: encodeEntry(entry) })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
  });

  it.each<readonly [string, (own: LogEntry) => Uint8Array]>([
    ["of another person", (own): Uint8Array => encodeEntry({ ...own, author: "ab".repeat(32) })],
    ["of another device", (own): Uint8Array => encodeEntry({ ...own, device: "ab".repeat(32) })],
    [
      "of an operation that it does not know",
      (own): Uint8Array => encodeEntry({ ...own, change: { op: "unknown", word: "base", value: Uint8Array.of(0x80) } }),
    ],
    ["that is cut off", (own): Uint8Array => encodeEntry(own).subarray(1)],
    ["that is something else", (): Uint8Array => new TextEncoder().encode("parley-device\nparley-test\n")],
  ])("signs none %s", async (_, bytesOf) => {
    await keyring.signedPrekey({ chainId: CHAIN });
    await expect(keyring.signGroupEntry({ chainId: CHAIN, entry: bytesOf(entry) })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});
