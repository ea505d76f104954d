import { beforeEach, describe, expect, it } from "vitest";
import type { Keyring } from "#shared/keyring/keyring.ts";
import { isCertified, isGenuinePrekey } from "#shared/protocol/mail/device-certificate.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { createTestKeyring, type MemoryVault } from "#test/support/worlds/keyring-world.ts";

const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "another good password";
const CHAIN = "parley-test";

let old: Keyring;
let phrase: string;
let masterPub: string;
let fresh: Keyring;
let storage: MemoryVault;

beforeEach(async () => {
  old = createTestKeyring().keyring;
  phrase = (await old.create({ password: PASSWORD })).words.join(" ");
  masterPub = (await old.status()).account?.masterPub ?? "";
  ({ keyring: fresh, storage } = createTestKeyring());
});

async function link(): Promise<{ readonly devicePub: string }> {
  const keys = await fresh.beginLink();
  const certificate = await old.certifyDevice({ ...keys, chainId: CHAIN, password: PASSWORD });
  await fresh.finishLink({ masterPub, chainId: CHAIN, certificate, password: NEW_PASSWORD });
  return keys;
}

describe("a linked device", () => {
  it("belongs to the identity, reads and writes messages, and has no wallet", async () => {
    const { devicePub } = await link();
    expect(await fresh.status()).toMatchObject({
      state: "walletLocked",
      isLinked: true,
      phraseConfirmed: true,
      account: { masterPub, devicePub },
    });
    const [envelope] = await old.seal({ requests: [{ plaintext: utf8("hi"), recipients: [devicePub], sentAt: 1 }] });
    if (envelope === undefined) throw new Error("nothing was sealed");
    expect((await fresh.open({ items: [envelope] }))[0]?.plaintext).toEqual(utf8("hi"));
    const intent = { kind: "pay", to: masterPub, amountUt: 1 } as const;
    await expect(fresh.sign({ intent, chainId: CHAIN })).rejects.toMatchObject({ code: "PHRASE_MISSING" });
    await expect(fresh.revealPhrase({ password: NEW_PASSWORD })).rejects.toMatchObject({ code: "PHRASE_MISSING" });
    await expect(fresh.certifyDevice({ devicePub, signingPub: devicePub, chainId: CHAIN, password: NEW_PASSWORD })).rejects.toMatchObject({
      code: "PHRASE_MISSING",
    });
  });

  it("opens with its own password after a lock, and stays what it is", async () => {
    await link();
    await fresh.lock();
    await expect(fresh.unlock({ password: PASSWORD })).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
    expect(await fresh.unlock({ password: NEW_PASSWORD })).toMatchObject({ state: "walletLocked", isLinked: true });
    await fresh.changePassword({ current: NEW_PASSWORD, next: PASSWORD });
    expect(await createTestKeyring(storage).keyring.unlock({ password: PASSWORD })).toMatchObject({ isLinked: true });
    await expect(fresh.resetPassword({ phrase, password: NEW_PASSWORD })).rejects.toMatchObject({ code: "PHRASE_MISSING" });
  });

  it("shows short-lived keys that the identity vouches for, on the network it was linked on", async () => {
    const { devicePub } = await link();
    const prekey = await fresh.signedPrekey({ chainId: CHAIN });
    expect(prekey !== null && isGenuinePrekey(CHAIN, masterPub, { devicePub, prekey })).toBe(true);
    expect(await fresh.signedPrekey({ chainId: "another-chain" })).toBeNull();
    await fresh.lock();
    await fresh.unlock({ password: NEW_PASSWORD });
    expect(await fresh.signedPrekey({ chainId: CHAIN })).toEqual(prekey);
  });

  it("signs once the phrase was added, and takes no other identity's", async () => {
    const keys = await link();
    const stranger = (await createTestKeyring().keyring.create({ password: PASSWORD })).words.join(" ");
    await expect(fresh.addPhrase({ phrase: stranger, password: NEW_PASSWORD })).rejects.toMatchObject({ code: "PHRASE_INVALID" });
    await expect(fresh.addPhrase({ phrase, password: PASSWORD })).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
    const status = await fresh.addPhrase({ phrase, password: NEW_PASSWORD });
    expect(status).toEqual({
      state: "unlocked",
      account: expect.objectContaining({ masterPub, devicePub: keys.devicePub }),
      phraseConfirmed: true,
      formerDataKeys: 1,
    });
    const intent = { kind: "pay", to: "11".repeat(32), amountUt: 1 } as const;
    await expect(fresh.sign({ intent, chainId: CHAIN })).resolves.toMatchObject({ transaction: { from: masterPub } });
    expect((await fresh.revealPhrase({ password: NEW_PASSWORD })).words.join(" ")).toBe(phrase);
  });
});

describe("linking", () => {
  it("vouches for a device for the right password only", async () => {
    const keys = await fresh.beginLink();
    await expect(old.certifyDevice({ ...keys, chainId: CHAIN, password: NEW_PASSWORD })).rejects.toMatchObject({
      code: "VAULT_WRONG_PASSWORD",
    });
    const certificate = await old.certifyDevice({ ...keys, chainId: CHAIN, password: PASSWORD });
    expect(isCertified(CHAIN, masterPub, { ...keys, certificate })).toBe(true);
    expect(isCertified("another-chain", masterPub, { ...keys, certificate })).toBe(false);
    expect(isCertified(CHAIN, masterPub, { ...keys, devicePub: "11".repeat(32), certificate })).toBe(false);
  });

  it("takes no certificate of other keys, another identity or another network, and makes no vault then", async () => {
    const keys = await fresh.beginLink();
    const certificate = await old.certifyDevice({ ...keys, chainId: CHAIN, password: PASSWORD });
    const input = { masterPub, chainId: CHAIN, certificate, password: NEW_PASSWORD };
    const others = [{ masterPub: keys.signingPub }, { chainId: "another-chain" }, { certificate: "00".repeat(64) }];
    for (const wrong of others) await expect(fresh.finishLink({ ...input, ...wrong })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(fresh.finishLink({ ...input, password: "short" })).rejects.toMatchObject({ details: { field: "password" } });
    const newer = await fresh.beginLink();
    expect(newer.devicePub).not.toBe(keys.devicePub);
    await expect(fresh.finishLink(input)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect((await fresh.status()).state).toBe("empty");
  });

  it("begins on an empty profile only, and finishes what was begun", async () => {
    await expect(old.beginLink()).rejects.toMatchObject({ code: "VAULT_EXISTS" });
    const certificate = "00".repeat(64);
    await expect(fresh.finishLink({ masterPub, chainId: CHAIN, certificate, password: NEW_PASSWORD })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  });
});
