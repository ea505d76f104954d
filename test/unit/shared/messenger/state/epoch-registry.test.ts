import { describe, expect, it } from "vitest";
import { EPOCH_GRACE_S } from "#shared/keyring/devices/epoch-keys.ts";
import { certify, DeviceCredentials } from "#shared/keyring/vault/device-credentials.ts";
import { MAX_PREKEYS, MAX_PREKEYS_PER_PERSON, withSignedPrekey } from "#shared/messenger/changes/shown-prekeys.ts";
import { EpochRegistry, type PrekeysByDevice, SEALABLE_S } from "#shared/messenger/state/epoch-registry.ts";
import type { SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";

const DAY_S = 86_400;
const CHAIN = "parley-test";
const DEVICE = "0d".repeat(32);
const MASTER_SEED = new Uint8Array(32).fill(1);
const MASTER = toHex(ed25519PublicKey(MASTER_SEED));

/** A card as a device of the master key shows it. */
function prekeyOf(n: number, notAfter: number, by = MASTER_SEED): SignedPrekey {
  const deviceSecret = new Uint8Array(32).fill(2);
  const { keys } = new DeviceCredentials(deviceSecret, DEVICE);
  const credentials = new DeviceCredentials(deviceSecret, DEVICE, [{ chainId: CHAIN, signature: certify(by, CHAIN, keys) }]);
  const shown = credentials.prekey(CHAIN, { epochPub: `0${n}`.repeat(32), notAfter });
  if (shown === null) throw new Error("no certificate");
  return shown;
}

/** Who is a contact: all but strangers. */
const isKnown = (person: string): boolean => !person.startsWith("stranger");

function show(prekeys: PrekeysByDevice, shown: SignedPrekey, nowS = 100): PrekeysByDevice {
  return withSignedPrekey(prekeys, { chainId: CHAIN, from: MASTER, device: DEVICE, prekey: shown, nowS, isKnown });
}

describe("signed prekeys of devices", () => {
  it("are replaced by newer ones only", () => {
    const first = show({}, prekeyOf(1, 500));
    expect(first).toEqual({ [DEVICE]: { ...prekeyOf(1, 500), owner: MASTER } });
    expect(show(first, prekeyOf(2, 500))).toBe(first);
    expect(show(first, prekeyOf(2, 499))).toBe(first);
    expect(show(first, prekeyOf(2, 501))).toEqual({ [DEVICE]: { ...prekeyOf(2, 501), owner: MASTER } });
  });

  it("are not taken when they have expired, or would hold too long", () => {
    expect(show({}, prekeyOf(1, 100))).toEqual({});
    expect(show({}, prekeyOf(1, 101 + 9 * DAY_S))).toEqual({});
    expect(show({}, prekeyOf(1, 100 + 9 * DAY_S))).not.toEqual({});
  });

  it("of a thief of the device's secret are outdone by the device's own after two days", () => {
    const stolen = show({}, prekeyOf(1, 100 + 9 * DAY_S));
    expect(show(stolen, prekeyOf(2, 100 + 8 * DAY_S), 100 + DAY_S)[DEVICE]?.epochPub).toBe(prekeyOf(1, 1).epochPub);
    expect(show(stolen, prekeyOf(2, 101 + 9 * DAY_S), 101 + 2 * DAY_S)[DEVICE]?.epochPub).toBe(prekeyOf(2, 1).epochPub);
    const longer: PrekeysByDevice = { [DEVICE]: { ...prekeyOf(1, 100 + 30 * DAY_S), owner: MASTER } };
    expect(show(longer, prekeyOf(2, 100 + 7 * DAY_S))[DEVICE]?.epochPub).toBe(prekeyOf(2, 1).epochPub);
  });

  it("are not taken unless the identity vouches for the device, and the device for the key", () => {
    const forged: readonly SignedPrekey[] = [
      prekeyOf(1, 500, new Uint8Array(32).fill(9)),
      { ...prekeyOf(1, 500), epochPub: "07".repeat(32) },
      { ...prekeyOf(1, 500), notAfter: 501 },
      { ...prekeyOf(1, 500), signature: "00".repeat(64) },
    ];
    for (const wrong of forged) expect(show({}, wrong)).toEqual({});
    const onOtherChain = { chainId: "another", from: MASTER, device: DEVICE, prekey: prekeyOf(1, 500), nowS: 100, isKnown };
    expect(withSignedPrekey({}, onOtherChain)).toEqual({});
    expect(withSignedPrekey({}, { ...onOtherChain, chainId: CHAIN, device: "0e".repeat(32) })).toEqual({});
    expect(withSignedPrekey({}, { ...onOtherChain, chainId: CHAIN, from: "aa".repeat(32) })).toEqual({});
  });

  it("give a key as long as devices keep its secret, and then none: never the lasting one again", () => {
    const registry = new EpochRegistry(null, show({}, prekeyOf(1, 500)));
    const { epochPub } = prekeyOf(1, 500);
    expect(registry.keyFor("0e".repeat(32), 1)).toEqual({ kind: "lasting" });
    expect(registry.keyFor(DEVICE, 1)).toEqual({ kind: "epoch", epochPub });
    expect(registry.keyFor(DEVICE, 500 + SEALABLE_S)).toEqual({ kind: "epoch", epochPub });
    expect(registry.keyFor(DEVICE, 501 + SEALABLE_S)).toEqual({ kind: "stale" });
    expect(SEALABLE_S).toBeLessThan(EPOCH_GRACE_S);
  });

  it("make room for others, those of strangers first", () => {
    const known = prekeyOf(1, 1_000);
    const all = Array.from({ length: MAX_PREKEYS }, (_, n) => [`d${n}`, { ...known, notAfter: 1_000 + n }] as const);
    const [full, last] = [Object.fromEntries(all), `d${MAX_PREKEYS - 1}`];
    const prekeys = show(full, prekeyOf(2, 9_000), 1);
    expect(Object.keys(prekeys)).toHaveLength(MAX_PREKEYS);
    expect(prekeys).not.toHaveProperty("d0");
    expect(prekeys).toHaveProperty(DEVICE);
    const withStranger = show({ ...full, [last]: { ...known, notAfter: 99_000, owner: "stranger" } }, prekeyOf(2, 9_000), 1);
    expect(Object.keys(withStranger)).toHaveLength(MAX_PREKEYS);
    expect(withStranger).not.toHaveProperty(last);
    expect(withStranger).toHaveProperty("d0");
  });

  it("of a stranger take no contact's room, and those of one person none of others'", () => {
    const known = { ...prekeyOf(1, 1_000), owner: "contact" };
    const full = Object.fromEntries(Array.from({ length: MAX_PREKEYS }, (_, n) => [`d${n}`, known]));
    const shown = { chainId: CHAIN, from: MASTER, device: DEVICE, prekey: prekeyOf(2, 9_000), nowS: 1 };
    expect(withSignedPrekey(full, { ...shown, isKnown: (person) => person === "contact" })).toEqual(full);
    const many = Object.fromEntries(
      Array.from({ length: MAX_PREKEYS_PER_PERSON }, (_, n) => [`d${n}`, { ...known, notAfter: 1_000 + n, owner: MASTER }]),
    );
    const next = show({ ...many, other: known }, prekeyOf(2, 9_000), 1);
    expect(Object.keys(next)).toHaveLength(MAX_PREKEYS_PER_PERSON + 1);
    expect(next).not.toHaveProperty("d0");
    expect(next).toHaveProperty("other");
  });
});
