// What gives lasting power is not done for a page alone, however open the wallet is.
import { beforeEach, describe, expect, it } from "vitest";
import type { KeyringDecision } from "#shared/keyring/confirmation/decision.ts";
import type { Intent } from "#shared/keyring/intents/intents.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import { createTestKeyring, type ManualTime, type MemoryVault } from "#test/support/worlds/keyring-world.ts";

const PASSWORD = "correct horse battery";
const CHAIN = "parley-test";
const FOREIGN_DEVICE = "0a".repeat(32);
const MINUTE = 60_000;

let storage: MemoryVault;
let time: ManualTime;
let keyring: Keyring;
let me: { readonly masterPub: string; readonly devicePub: string };

beforeEach(async () => {
  ({ keyring, storage, time } = createTestKeyring());
  await keyring.create({ password: PASSWORD });
  me = (await keyring.status()).account as typeof me;
});

const powerful = (): readonly (readonly [string, Intent])[] => [
  ["another device", { kind: "linkDevice", deviceName: "Mallory's", devicePub: FOREIGN_DEVICE }],
  ["a device, in capitals", { kind: "linkDevice", deviceName: "Mallory's", devicePub: FOREIGN_DEVICE.toUpperCase() }],
  ["a validator", { kind: "addValidator", validator: me.masterPub }],
  ["another's validator", { kind: "addValidator", validator: "79b5562e8fe654f94078b112e8a98ba7901f853ae695bed7e0e3910bad049664" }],
  ["leaving the set", { kind: "removeValidator", validator: me.masterPub }],
];

describe("a page that reports activity for ever", () => {
  const HOUR = 60 * MINUTE;

  /** Minutes until the wallet locks, while the page does something every minute. */
  async function minutesOpen(act: () => Promise<unknown>): Promise<number> {
    for (let minutes = 0; minutes < 600; minutes += 1) {
      await act();
      if ((await keyring.status()).state !== "unlocked") return minutes;
      time.advance(MINUTE);
    }
    throw new Error("the wallet never locked");
  }

  it("puts the lock off for an hour, by touching, signing or choosing idle times", async () => {
    const acts: readonly ((page: Keyring) => Promise<unknown>)[] = [
      (page): Promise<unknown> => page.touch(),
      (page): Promise<unknown> => page.sign({ intent: { kind: "registerKey" }, chainId: CHAIN }).catch(() => undefined),
      (page): Promise<unknown> => page.setAutoLock({ walletIdleMs: 5 * MINUTE, fullIdleMs: null }),
      (page): Promise<unknown> => page.unlock({ password: "not the password" }).catch(() => undefined),
    ];
    for (const act of acts) {
      expect(await minutesOpen(() => act(keyring))).toBeLessThanOrEqual(HOUR / MINUTE);
      time.advance(20 * MINUTE);
      await keyring.unlock({ password: PASSWORD });
    }
  });

  it("does not stand in for a person who gives the password now and then", async () => {
    let minutes = 0;
    const act = async (): Promise<void> => {
      minutes += 1;
      if (minutes % 50 === 0 && minutes < 200) await keyring.revealPhrase({ password: PASSWORD });
      else await keyring.touch();
    };
    expect(await minutesOpen(act)).toBe(149 + HOUR / MINUTE);
  });
});

describe("in a browser", () => {
  it("signs nothing that gives lasting power without the password", async () => {
    for (const [, intent] of powerful()) {
      await expect(keyring.sign({ intent, chainId: CHAIN })).rejects.toMatchObject({
        code: "CONFIRMATION_REQUIRED",
        details: { decision: intent.kind },
      });
      await expect(keyring.sign({ intent, chainId: CHAIN, password: "" })).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
      expect((await keyring.sign({ intent, chainId: CHAIN, password: PASSWORD })).summary.kind).toBe(intent.kind);
    }
  });

  it("asks for no password where nothing lasts: payments, contacts, this device itself", async () => {
    const intents: readonly Intent[] = [
      { kind: "pay", to: "79b5562e8fe654f94078b112e8a98ba7901f853ae695bed7e0e3910bad049664", amountUt: 5 },
      { kind: "registerKey" },
      { kind: "unlinkDevice", devicePub: FOREIGN_DEVICE },
      { kind: "linkDevice", deviceName: "Desk" },
      { kind: "linkDevice", deviceName: "Desk", devicePub: me.devicePub.toUpperCase() },
    ];
    for (const intent of intents) await expect(keyring.sign({ intent, chainId: CHAIN })).resolves.toBeDefined();
  });

  it("links the device once that was just vouched for with the password, and no other", async () => {
    const certify = (): Promise<string> =>
      keyring.certifyDevice({ devicePub: FOREIGN_DEVICE, signingPub: "0b".repeat(32), chainId: CHAIN, password: PASSWORD });
    const link = (devicePub = FOREIGN_DEVICE, chainId = CHAIN): Promise<unknown> =>
      keyring.sign({ intent: { kind: "linkDevice", deviceName: "Tablet", devicePub }, chainId });
    const refused = { code: "CONFIRMATION_REQUIRED" };
    await certify();
    await expect(link("0c".repeat(32))).rejects.toMatchObject(refused);
    await expect(link(FOREIGN_DEVICE, "another-network")).rejects.toMatchObject(refused);
    await expect(link()).resolves.toBeDefined();
    await expect(link()).rejects.toMatchObject(refused);
    await certify();
    await keyring.lockWallet();
    await keyring.unlock({ password: PASSWORD });
    await expect(link()).rejects.toMatchObject(refused);
    await certify();
    for (let minute = 0; minute < 11; minute += 1) {
      time.advance(MINUTE);
      await keyring.touch();
    }
    await expect(link()).rejects.toMatchObject(refused);
  });

  it("locks later only for the password, and sooner at once", async () => {
    const refused = { code: "CONFIRMATION_REQUIRED", details: { decision: "autoLock" } };
    await expect(keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: null })).rejects.toMatchObject(refused);
    await expect(keyring.setAutoLock({ walletIdleMs: 16 * MINUTE, fullIdleMs: null })).rejects.toMatchObject(refused);
    expect(await keyring.setAutoLock({ walletIdleMs: 2 * MINUTE, fullIdleMs: 30 * MINUTE })).toMatchObject({ isChosen: true });
    await expect(keyring.setAutoLock({ walletIdleMs: 2 * MINUTE, fullIdleMs: 31 * MINUTE })).rejects.toMatchObject(refused);
    await expect(keyring.setAutoLock({ walletIdleMs: 2 * MINUTE, fullIdleMs: null })).rejects.toMatchObject(refused);
    time.advance(2 * MINUTE);
    expect((await keyring.status()).state).toBe("walletLocked");
    await keyring.unlock({ password: PASSWORD });
    await keyring.setAutoLock({ walletIdleMs: 60 * MINUTE, fullIdleMs: null, password: PASSWORD });
    time.advance(59 * MINUTE);
    expect((await keyring.status()).state).toBe("unlocked");
  });

  it("keeps idle times in the vault: a reload and another window find them", async () => {
    await keyring.setAutoLock({ walletIdleMs: MINUTE, fullIdleMs: 2 * MINUTE });
    const { keyring: other } = createTestKeyring(storage, time);
    await other.unlock({ password: PASSWORD });
    expect(await other.autoLock()).toEqual({ walletIdleMs: MINUTE, fullIdleMs: 2 * MINUTE, isChosen: true });
    await other.changePassword({ current: PASSWORD, next: "another horse battery" });
    time.advance(2 * MINUTE);
    expect((await other.status()).state).toBe("locked");
    await other.unlock({ password: "another horse battery" });
    expect(await other.autoLock()).toMatchObject({ fullIdleMs: 2 * MINUTE });
    await expect(keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: null })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
  });
});

describe("on a host with a window of its own", () => {
  let asked: KeyringDecision[];
  let isAgreed: boolean;

  beforeEach(async () => {
    asked = [];
    isAgreed = false;
    const confirm = async (decision: KeyringDecision): Promise<boolean> => {
      asked.push(decision);
      return isAgreed;
    };
    ({ keyring } = createTestKeyring(storage, time, { confirm }));
    await keyring.unlock({ password: PASSWORD });
  });

  it("shows the exact values and signs them once the person agreed, whatever password the page has", async () => {
    const intent: Intent = { kind: "linkDevice", deviceName: "Mallory's", devicePub: FOREIGN_DEVICE.toUpperCase(), feeUt: 2_000 };
    const input = { intent, chainId: CHAIN, password: PASSWORD };
    await expect(keyring.sign(input)).rejects.toMatchObject({ code: "CONFIRMATION_DECLINED" });
    isAgreed = true;
    const { transaction } = await keyring.sign(input);
    const shown = {
      kind: "linkDevice",
      account: formatAddress(me.masterPub),
      chainId: CHAIN,
      feeUt: 2_000,
      deviceName: "Mallory's",
      devicePub: FOREIGN_DEVICE,
    };
    expect(asked).toEqual([shown, shown]);
    expect(decodePayload(transaction.payload)).toMatchObject({ device_name: "Mallory's", x25519_pub_key: FOREIGN_DEVICE });
  });

  it("asks about everything that gives lasting power, and gives nothing away when it is declined", async () => {
    for (const [, intent] of powerful())
      await expect(keyring.sign({ intent, chainId: CHAIN })).rejects.toMatchObject({ code: "CONFIRMATION_DECLINED" });
    const declined = { code: "CONFIRMATION_DECLINED" };
    const device = { devicePub: FOREIGN_DEVICE, signingPub: "0b".repeat(32), chainId: CHAIN, password: PASSWORD };
    await expect(keyring.certifyDevice(device)).rejects.toMatchObject(declined);
    await expect(keyring.revealPhrase({ password: PASSWORD })).rejects.toMatchObject(declined);
    await expect(keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: null, password: PASSWORD })).rejects.toMatchObject(declined);
    expect(asked.map(({ kind }) => kind).slice(powerful().length)).toEqual(["certifyDevice", "revealPhrase", "autoLock"]);
    expect(await keyring.autoLock()).toMatchObject({ isChosen: false });
  });

  it("asks about nothing that cannot be signed, and not while the wallet is locked", async () => {
    await expect(keyring.sign({ intent: { kind: "addValidator", validator: "00".repeat(32) }, chainId: CHAIN })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    await keyring.lockWallet();
    for (const [, intent] of powerful())
      await expect(keyring.sign({ intent, chainId: CHAIN })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect(asked).toEqual([]);
  });

  it("signs nothing when it was locked while it asked, and does not hold up messages meanwhile", async () => {
    const answer = Promise.withResolvers<boolean>();
    ({ keyring } = createTestKeyring(storage, time, { confirm: () => answer.promise }));
    await keyring.unlock({ password: PASSWORD });
    const signing = keyring.sign({ intent: { kind: "addValidator", validator: me.masterPub }, chainId: CHAIN });
    expect(await keyring.signedPrekey({ chainId: CHAIN })).not.toBeNull();
    await keyring.lockWallet();
    answer.resolve(true);
    await expect(signing).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
  });
});
