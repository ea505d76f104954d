// What a list of devices changes, and what proves that a person published a key.
import { beforeAll, describe, expect, it } from "vitest";
import { type JudgedKey, type KnownDevices, withList } from "#shared/messenger/state/devices/known-devices.ts";
import { isKeyPublication } from "#shared/messenger/state/key-publication.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";
import { createTestKeyring, systemRandom } from "#test/support/worlds/keyring-world.ts";

const [PHONE, LAPTOP] = [newKey(), newKey()] as const;

function newKey(): string {
  return toHex(boxKeyPair(systemRandom(32)).publicKey);
}

const signed = (key: string): JudgedKey => ({ key, voucher: "signature" });

describe("a list of devices that is empty", () => {
  const known: KnownDevices = withList(undefined, [signed(PHONE), signed(LAPTOP)], 1_000).known;

  it("takes no device away, and is no event", () => {
    expect(withList(known, [], 2_000)).toEqual({ known, events: [] });
  });

  it("is no event at first either, and what is listed afterwards is the first list", () => {
    const empty = withList(undefined, [], 2_000);
    expect(empty.events).toEqual([]);
    expect(empty.known).toMatchObject({ signed: [], gone: [], changes: 0, changedAt: null });
  });

  it("leaves an event that its user has not seen to", () => {
    const changed = withList(known, [signed(PHONE)], 3_000).known;
    expect(changed).toMatchObject({ gone: [{ key: LAPTOP, learnedAt: 3_000 }], changes: 1, changedAt: 3_000 });
    expect(withList(changed, [], 4_000)).toEqual({ known: changed, events: [] });
  });
});

describe("a LINK_DEVICE", () => {
  const CHAIN = "parley-test";
  interface SignedLink {
    readonly id: string;
    readonly signature: string;
  }
  let masterPub: string;
  let link: SignedLink;
  let other: SignedLink;

  beforeAll(async () => {
    const { keyring } = createTestKeyring();
    await keyring.create({ password: "correct horse battery" });
    masterPub = (await keyring.status()).account?.masterPub ?? "";
    const sign = async (deviceName: string): Promise<SignedLink> => {
      const intent = { kind: "linkDevice", deviceName, devicePub: PHONE } as const;
      return (await keyring.sign({ intent, chainId: CHAIN, password: "correct horse battery" })).transaction;
    };
    link = await sign("Phone");
    other = await sign("Old phone");
  });

  const isBelieved = (json: object, chainId = CHAIN): boolean => isKeyPublication(json, { chainId, masterPub, key: PHONE });

  it("proves the key that it names, on its network", () => {
    expect(isBelieved(link)).toBe(true);
    expect(isKeyPublication(link, { chainId: CHAIN, masterPub, key: LAPTOP })).toBe(false);
    expect(isKeyPublication(link, { chainId: CHAIN, masterPub: LAPTOP, key: PHONE })).toBe(false);
    expect(isBelieved(link, "another-network")).toBe(false);
  });

  it("proves nothing with an id that is not that of its content", () => {
    expect(isBelieved({ ...link, id: other.id })).toBe(false);
  });

  it("proves nothing with a signature of something else, whatever its id says", () => {
    expect(isBelieved({ ...link, signature: other.signature })).toBe(false);
    expect(isBelieved({ ...link, signature: Buffer.alloc(64).toString("base64") })).toBe(false);
  });
});
