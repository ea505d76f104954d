// Cards in the keyring: drawn, sealed to and opened by two real ones, under a key of the vault that is renewed.
import { beforeEach, describe, expect, it } from "vitest";
import { nativeKem } from "#electron/keyring/native-kem.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import type { DrawnCard, KeyringAccount, OpenedItem, SealRequest } from "#shared/keyring/keyring-api.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { LateKem } from "#shared/protocol/pairs/kem-ahead.ts";
import type { KemPrimitives } from "#shared/protocol/pairs/kem-primitives.ts";
import { isGenuineCard } from "#shared/protocol/pairs/pair-card.ts";
import { readPair } from "#shared/protocol/pairs/pair-wire.ts";
import { scriptKem } from "#shared/protocol/pairs/script-kem.ts";
import { fromBase64, utf8 } from "#shared/util/bytes.ts";
import { createTestKeyring, ManualTime, MemoryVault } from "#test/support/worlds/keyring-world.ts";

const PASSWORD = "correct horse battery";
const CHAIN = "parley-test";
const INSTANCE = "05".repeat(8);
const ID = "0505050500000001";

interface Owner {
  readonly keyring: Keyring;
  readonly storage: MemoryVault;
  readonly time: ManualTime;
  readonly account: KeyringAccount;
}

async function createOwner(kem: KemPrimitives | undefined, late?: LateKem): Promise<Owner> {
  const world = createTestKeyring(new MemoryVault(), new ManualTime(), {
    ...(kem && { kem }),
    ...(late && { lateKem: (): Promise<LateKem> => Promise.resolve(late) }),
  });
  await world.keyring.create({ password: PASSWORD });
  await world.keyring.signedPrekey({ chainId: CHAIN });
  const { account } = await world.keyring.status();
  if (account === null) throw new Error("no account");
  return { ...world, account };
}

let ann: Owner;
let bob: Owner;
let drawn: DrawnCard;

/** A card of Bob, native or in script, and a sender in the other way. */
beforeEach(async () => {
  ann = await createOwner(nativeKem());
  bob = await createOwner(undefined);
  drawn = await drawCard(bob);
});

async function drawCard({ keyring }: Owner, id = ID): Promise<DrawnCard> {
  const [card] = (await keyring.drawCards({ chainId: CHAIN, cards: [{ instance: INSTANCE, id }] })) ?? [];
  if (card === undefined) throw new Error("no card");
  return card;
}

function sealing(text: string): SealRequest {
  const { signature: _, ...card } = drawn.card;
  const pair = { chainId: CHAIN, recipientMasterPub: bob.account.masterPub, card };
  return { plaintext: utf8(text), recipients: [bob.account.devicePub], sentAt: 1_800_003_599, pair };
}

async function sealed(text: string): Promise<Envelope> {
  const [envelope] = await ann.keyring.seal({ requests: [sealing(text)] });
  if (envelope === undefined) throw new Error("no envelope");
  return envelope;
}

async function pairOf(envelope: Envelope): Promise<Uint8Array> {
  const [opened] = (await bob.keyring.open({ items: [envelope] })) as [OpenedItem];
  if (opened.pair === undefined) throw new Error("no pair envelope");
  return opened.pair;
}

async function openWith(owner: Owner, pair: Uint8Array, secret: Uint8Array, sender = ann.account): Promise<Uint8Array | null | undefined> {
  const { masterPub, devicePub } = sender;
  return (await owner.keyring.openPairs({ chainId: CHAIN, items: [{ pair, secret, sender: { masterPub, devicePub } }] }))[0];
}

describe("a card", () => {
  it("is signed by the device that drew it, and sealed to by any other", async () => {
    const prekey = await bob.keyring.signedPrekey({ chainId: CHAIN });
    const owner = { chainId: CHAIN, devicePub: bob.account.devicePub, instance: INSTANCE };
    expect(isGenuineCard(owner, drawn.card, prekey?.signingPub ?? "")).toBe(true);
    const pair = await pairOf(await sealed("Hello"));
    expect(readPair(pair)).toMatchObject({ cardId: ID });
    expect(await openWith(bob, pair, drawn.secret)).toEqual(utf8("Hello"));
  });

  it("hides the sender, the minute and the length, and its nonce says nothing", async () => {
    const [short, long] = [await sealed("Hi"), await sealed("x".repeat(1_900))];
    expect(short).toMatchObject({ sender_ed25519_pub: "", sent_at: 1_800_000_000, recipient_pub: bob.account.devicePub });
    expect(fromBase64(short.ciphertext)).toHaveLength(3_072 + 16);
    expect(fromBase64(long.ciphertext)).toHaveLength(3_072 + 16);
    expect([short.sender_pub, short.nonce]).not.toContain(ann.account.devicePub);
    expect(short.sender_pub).not.toBe(long.sender_pub);
    expect(short.nonce.slice(0, 6)).not.toBe(long.nonce.slice(0, 6));
  });

  it("opens nothing for another sender, with another card, or at another device", async () => {
    const pair = await pairOf(await sealed("Hello"));
    expect(await openWith(bob, pair, drawn.secret, bob.account)).toBeNull();
    expect(await openWith(bob, pair, (await drawCard(bob, "0505050500000002")).secret)).toBeNull();
    expect(await openWith(ann, pair, drawn.secret)).toBeNull();
    expect(await openWith(bob, pair.subarray(1), drawn.secret)).toBeNull();
    expect(await openWith(bob, pair, drawn.secret.slice().fill(0, 30, 34))).toBeNull();
  });

  it("is drawn for its own instance, once the wallet has vouched for the device", async () => {
    const wrong = { chainId: CHAIN, cards: [{ instance: INSTANCE, id: "0606060600000001" }] };
    await expect(bob.keyring.drawCards(wrong)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await bob.keyring.drawCards({ chainId: "parley-other", cards: [{ instance: INSTANCE, id: ID }] })).toBeNull();
  });

  it("is refused with keys that are none, and for several devices", async () => {
    const request = sealing("Hello");
    if (request.pair === undefined) throw new Error("no pair");
    const small = { ...request, pair: { ...request.pair, card: { ...request.pair.card, x: new Uint8Array(32) } } };
    await expect(ann.keyring.seal({ requests: [small] })).rejects.toMatchObject({ code: "ENVELOPE_INVALID" });
    const two = { ...request, recipients: [bob.account.devicePub, ann.account.devicePub] };
    await expect(ann.keyring.seal({ requests: [two] })).rejects.toMatchObject({ code: "ENVELOPE_INVALID" });
  });

  it("is sealed to beside requests of version 1, in order", async () => {
    const plain: SealRequest = { plaintext: utf8("plain"), recipients: [bob.account.devicePub], sentAt: 1 };
    const envelopes = await ann.keyring.seal({ requests: [plain, sealing("Hello"), plain] });
    const opened = await bob.keyring.open({ items: envelopes });
    expect(opened.map(({ plaintext, pair }) => [plaintext === null, pair === undefined])).toEqual([
      [false, true],
      [true, false],
      [false, true],
    ]);
  });

  it("needs an open keyring", async () => {
    const pair = await pairOf(await sealed("Hello"));
    await bob.keyring.lockWallet();
    expect(await openWith(bob, pair, drawn.secret)).toEqual(utf8("Hello"));
    await bob.keyring.lock();
    await expect(openWith(bob, pair, drawn.secret)).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
  });
});

describe("the key of secrets", () => {
  it("is renewed in two steps, between which both open", async () => {
    const pair = await pairOf(await sealed("Hello"));
    await bob.keyring.renewCardKey();
    await bob.keyring.renewCardKey();
    expect(await openWith(bob, pair, drawn.secret)).toEqual(utf8("Hello"));
    const [resealed] = await bob.keyring.resealCards({ secrets: [drawn.secret] });
    await bob.keyring.dropFormerCardKey();
    await bob.keyring.dropFormerCardKey();
    expect(await openWith(bob, pair, drawn.secret)).toBeNull();
    expect(resealed && (await openWith(bob, pair, resealed))).toEqual(utf8("Hello"));
    expect(await bob.keyring.resealCards({ secrets: [drawn.secret, resealed ?? new Uint8Array()] })).toEqual([
      null,
      expect.any(Uint8Array),
    ]);
  });

  it("stays with another password, and after the next start", async () => {
    const pair = await pairOf(await sealed("Hello"));
    await bob.keyring.changePassword({ current: PASSWORD, next: "another correct horse" });
    expect(await openWith(bob, pair, drawn.secret)).toEqual(utf8("Hello"));
    const { keyring } = createTestKeyring(bob.storage, bob.time);
    await keyring.unlock({ password: "another correct horse" });
    expect(await openWith({ ...bob, keyring }, pair, drawn.secret)).toEqual(utf8("Hello"));
  });

  it("is found where another window has renewed it", async () => {
    const { keyring } = createTestKeyring(bob.storage, bob.time);
    await keyring.unlock({ password: PASSWORD });
    await keyring.renewCardKey();
    const [resealed = null] = await keyring.resealCards({ secrets: [drawn.secret] });
    await keyring.dropFormerCardKey();
    expect(await openWith(bob, await pairOf(await sealed("Hello")), resealed ?? new Uint8Array())).toEqual(utf8("Hello"));
  });

  it("is the newest one for a card that is drawn after another window has renewed it", async () => {
    const { keyring } = createTestKeyring(bob.storage, bob.time);
    await keyring.unlock({ password: PASSWORD });
    await keyring.renewCardKey();
    await keyring.dropFormerCardKey();
    drawn = await drawCard(bob, "0505050500000002");
    expect(await openWith(bob, await pairOf(await sealed("Hello")), drawn.secret)).toEqual(utf8("Hello"));
    expect(await keyring.resealCards({ secrets: [drawn.secret] })).toEqual([expect.any(Uint8Array)]);
  });
});

describe("a host that computes on other threads", () => {
  /** Computes by the script, and notes what; `until` is asked when it begins, and waited for. */
  function lateKem(until: () => Promise<unknown> = () => Promise.resolve()): { readonly late: LateKem; readonly done: string[] } {
    const done: string[] = [];
    const noted = async <T>(name: string, compute: () => T): Promise<T> => {
      const result = compute();
      await until();
      done.push(name);
      return result;
    };
    const late: LateKem = {
      x25519: (secret, others) => noted("x25519", () => others.map((other) => scriptKem.x25519(secret, other) ?? new Uint8Array(32))),
      mlKem: {
        encapsulate: (key) => noted("encapsulate", () => scriptKem.mlKemEncapsulate(key)),
        decapsulate: (seed, texts) => noted("decapsulate", () => texts.map((text) => scriptKem.mlKemDecapsulate(seed, text))),
      },
    };
    return { late, done };
  }

  const REFUSING: KemPrimitives = {
    ...scriptKem,
    mlKemEncapsulate: () => {
      throw new Error("computed here");
    },
    mlKemDecapsulate: () => {
      throw new Error("computed here");
    },
  };

  it("seals and opens by it", async () => {
    const { late, done } = lateKem();
    ann = await createOwner(REFUSING, late);
    bob = await createOwner({ ...REFUSING, mlKemKey: () => REFUSING as never }, late);
    drawn = await drawCard(bob);
    const pair = await pairOf(await sealed("Hello"));
    expect(await openWith(bob, pair, drawn.secret)).toEqual(utf8("Hello"));
    expect(new Set(done)).toEqual(new Set(["x25519", "encapsulate", "decapsulate"]));
  });

  it("computes here what it cannot load, and asks for it again", async () => {
    const { late, done } = lateKem();
    let attempts = 0;
    const lateLoaded = (): Promise<LateKem> => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error("The node is away")) : Promise.resolve(late);
    };
    const pair = await pairOf(await sealed("Hello"));
    const other = createTestKeyring(bob.storage, bob.time, { lateKem: lateLoaded });
    await other.keyring.unlock({ password: PASSWORD });
    expect(await openWith({ ...bob, keyring: other.keyring }, pair, drawn.secret)).toEqual(utf8("Hello"));
    expect(done).toEqual([]);
    expect(await openWith({ ...bob, keyring: other.keyring }, pair, drawn.secret)).toEqual(utf8("Hello"));
    expect(done).toContain("decapsulate");
  });

  it("opens nothing once it was locked meanwhile", async () => {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { late, done } = lateKem(() => {
      begin();
      return released;
    });
    const pair = await pairOf(await sealed("Hello"));
    const other = createTestKeyring(bob.storage, bob.time, { lateKem: (): Promise<LateKem> => Promise.resolve(late) });
    await other.keyring.unlock({ password: PASSWORD });
    const opening = openWith({ ...bob, keyring: other.keyring }, pair, drawn.secret);
    const refused = expect(opening).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    await begun;
    await other.keyring.lock();
    release();
    await refused;
    expect(done.length).toBeGreaterThan(0);
  });
});
