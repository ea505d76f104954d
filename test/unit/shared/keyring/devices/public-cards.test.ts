// Public cards in the keyring: drawn for everyone, sealed to by a device that the owner does not know, and opened under the key of the vault.
import { beforeEach, describe, expect, it } from "vitest";
import { nativeKem } from "#electron/keyring/native-kem.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import type { DrawnPublicCard, KeyringAccount, OpenedPublic } from "#shared/keyring/keyring-api.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { KemPrimitives } from "#shared/protocol/pairs/kem-primitives.ts";
import { type PairForm, PUBLIC_FORM, PUBLIC_PAIR_FORM, readPair } from "#shared/protocol/pairs/pair-wire.ts";
import { decodePublicCard, isGenuinePublicCard, type PublicCard, sealableCard } from "#shared/protocol/pairs/public-card.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { createTestKeyring, ManualTime, MemoryVault } from "#test/support/worlds/keyring-world.ts";

const CHAIN = "parley-test";
const REQUEST = { chainId: CHAIN, instance: "05".repeat(8), number: 500_000, height: 77 };

interface Owner {
  readonly keyring: Keyring;
  readonly account: KeyringAccount;
}

async function createOwner(kem: KemPrimitives | undefined): Promise<Owner> {
  const { keyring } = createTestKeyring(new MemoryVault(), new ManualTime(), kem && { kem });
  await keyring.create({ password: "correct horse battery" });
  await keyring.signedPrekey({ chainId: CHAIN });
  const { account } = await keyring.status();
  if (account === null) throw new Error("no account");
  return { keyring, account };
}

let ann: Owner;
let bob: Owner;
let drawn: DrawnPublicCard;
let card: PublicCard;

beforeEach(async () => {
  ann = await createOwner(nativeKem());
  bob = await createOwner(undefined);
  drawn = (await bob.keyring.drawPublicCard(REQUEST)) as DrawnPublicCard;
  card = decodePublicCard(drawn.card) as PublicCard;
});

async function sealed(text: string, form: PairForm = PUBLIC_FORM): Promise<Envelope> {
  const pair = { chainId: CHAIN, recipientMasterPub: bob.account.masterPub, card: sealableCard(card), form };
  const [envelope] = await ann.keyring.seal({
    requests: [{ plaintext: utf8(text), recipients: [bob.account.devicePub], sentAt: 1, pair }],
  });
  return envelope as Envelope;
}

async function open(envelope: Envelope, secret = drawn.secret): Promise<OpenedPublic | null | undefined> {
  const [opened] = await bob.keyring.open({ items: [envelope] });
  if (opened?.pair === undefined) throw new Error("no envelope for a card");
  return (await bob.keyring.openPublic({ chainId: CHAIN, items: [{ pair: opened.pair, secret }] }))[0];
}

describe("a public card", () => {
  it("is signed for the device and its person, and opens what a stranger sealed to it", async () => {
    expect(card).toMatchObject({ number: 500_000, height: 77, instance: REQUEST.instance, masterPub: bob.account.masterPub });
    expect(await isGenuinePublicCard(CHAIN, bob.account.devicePub, card)).toBe(true);
    const envelope = await sealed("Hello");
    expect(envelope).toMatchObject({ sender_ed25519_pub: "", recipient_pub: bob.account.devicePub });
    expect(JSON.stringify(envelope)).not.toContain(ann.account.devicePub);
    const { masterPub, devicePub } = ann.account;
    expect(await open(envelope)).toEqual({ content: utf8("Hello"), sender: { masterPub, devicePub } });
  });

  it("opens a content of a pair, which is told by its form", async () => {
    const envelope = await sealed("Hello", PUBLIC_PAIR_FORM);
    const [opened] = await bob.keyring.open({ items: [envelope] });
    expect(readPair(opened?.pair ?? new Uint8Array())).toMatchObject({ isOfPair: true });
    expect(await open(envelope)).toMatchObject({ content: utf8("Hello"), sender: { masterPub: ann.account.masterPub } });
    // For a pair's own card, by a program that takes the form for that one.
    const pair = opened?.pair?.slice().fill(2, 4, 5);
    expect(await bob.keyring.openPublic({ chainId: CHAIN, items: [{ pair: pair ?? new Uint8Array(), secret: drawn.secret }] })).toEqual([
      null,
    ]);
  });

  it("opens nothing with the secret of another card, or of one that is damaged", async () => {
    const envelope = await sealed("Hello");
    const later = (await bob.keyring.drawPublicCard({ ...REQUEST, number: 500_024 })) as DrawnPublicCard;
    expect(await open(envelope, later.secret)).toBeNull();
    expect(await open(envelope, drawn.secret.slice().fill(0, 30, 34))).toBeNull();
  });

  it("is under the key of cards, which is renewed", async () => {
    const envelope = await sealed("Hello");
    await bob.keyring.renewCardKey();
    const [again] = await bob.keyring.resealCards({ secrets: [drawn.secret] });
    await bob.keyring.dropFormerCardKey();
    expect(await open(envelope)).toBeNull();
    expect(await open(envelope, again ?? new Uint8Array())).toMatchObject({ content: utf8("Hello") });
  });

  it("is drawn once the wallet has vouched for the device on the network", async () => {
    expect(await bob.keyring.drawPublicCard({ ...REQUEST, chainId: "parley-other" })).toBeNull();
  });
});
