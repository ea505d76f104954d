// Mailboxes of a device for one person each: two real keyrings, and proofs as nodes check them.
import { beforeEach, describe, expect, it } from "vitest";
import { contactBoxKeys, ownBox } from "#shared/keyring/devices/contact-boxes.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import type { BoxName, DrawnCard, KeyringAccount, OwnBox, SealedEnvelope } from "#shared/keyring/keyring-api.ts";
import { isAdmitted, isSignedOpening } from "#shared/protocol/mail/box-opening.ts";
import { isSignedDeletion } from "#shared/protocol/mail/box-proof.ts";
import { edwardsKeyOf } from "#shared/protocol/mail/xeddsa.ts";
import { ed25519PublicKey, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { createTestKeyring, ManualTime, MemoryVault } from "#test/support/worlds/keyring-world.ts";

const CHAIN = "parley-test";
const PASSWORD = "correct horse battery";
const SECRET = new Uint8Array(32).fill(7);
const NAME: BoxName = { chainId: CHAIN, peer: "ab".repeat(32), generation: 734 };
const INSTANCE = "05".repeat(8);
const ID = "0505050500000001";

interface Owner {
  readonly keyring: Keyring;
  readonly storage: MemoryVault;
  readonly account: KeyringAccount;
}

async function createOwner(): Promise<Owner> {
  const { keyring, storage } = createTestKeyring(new MemoryVault(), new ManualTime());
  await keyring.create({ password: PASSWORD });
  await keyring.signedPrekey({ chainId: CHAIN });
  const { account } = await keyring.status();
  if (account === null) throw new Error("no account");
  return { keyring, storage, account };
}

let ann: Owner;
let bob: Owner;
let card: DrawnCard;
let name: BoxName;
let box: OwnBox;

/** A card of Bob, and his box for Ann. */
beforeEach(async () => {
  ann = await createOwner();
  bob = await createOwner();
  [card] = (await bob.keyring.drawCards({ chainId: CHAIN, cards: [{ instance: INSTANCE, id: ID }] })) as [DrawnCard];
  name = { chainId: CHAIN, peer: ann.account.masterPub, generation: 3 };
  [box] = (await bob.keyring.ownBoxes({ boxes: [name] })) as [OwnBox];
});

async function sealToBox(to: OwnBox | undefined): Promise<SealedEnvelope> {
  const { signature: _, ...shown } = card.card;
  const pair = { chainId: CHAIN, recipientMasterPub: bob.account.masterPub, card: shown, ...(to && { box: to }) };
  const request = { plaintext: utf8("hello"), recipients: [bob.account.devicePub], sentAt: 1_800_003_599, pair };
  const [envelope] = (await ann.keyring.seal({ requests: [request] })) as [SealedEnvelope];
  return envelope;
}

async function openIn(mailbox: string | undefined, envelope: SealedEnvelope): Promise<string | undefined> {
  const [item] = await bob.keyring.open({ items: [{ ...envelope, ...(mailbox !== undefined && { box: name }) }] });
  if (item?.pair === undefined) return undefined;
  const { masterPub, devicePub } = ann.account;
  const sealed = { pair: item.pair, secret: card.secret, sender: { masterPub, devicePub }, ...(mailbox !== undefined && { mailbox }) };
  const [content] = await bob.keyring.openPairs({ chainId: CHAIN, items: [sealed] });
  return content ? new TextDecoder().decode(content) : undefined;
}

describe("a mailbox for one person", () => {
  it("follows from the device, the person and a number, in every version of this program", () => {
    // Computed by another program: HKDF of its standard library, Edwards points by their formula.
    expect(toHex(contactBoxKeys(SECRET, NAME).publicKey)).toBe("287b8e489725a88a42911f68502b7915d6317576fde86d2d3892a372be1c6b62");
    expect(toHex(ownBox(SECRET, NAME).writeSeed)).toBe("64349dc10643d6a5b0c0ec2f20a66691a68836948ca22c3a5869d550ab901f5b");
  });

  it("is another one for each person, number, network and device, with a sign bit of 0", () => {
    const others = [
      { ...NAME, generation: 735 },
      { ...NAME, peer: "ac".repeat(32) },
      { ...NAME, chainId: "another" },
    ];
    const all = [NAME, ...others].map((each) => ownBox(SECRET, each));
    all.push(ownBox(new Uint8Array(32).fill(8), NAME));
    expect(new Set(all.map(({ mailbox }) => mailbox)).size).toBe(all.length);
    expect(new Set(all.map(({ writeSeed }) => toHex(writeSeed))).size).toBe(all.length);
    for (const { mailbox } of all) expect((edwardsKeyOf(mailbox)?.[31] ?? 0xff) & 0x80).toBe(0);
  });

  it("is known to another window, and to a vault that was put back", async () => {
    const { keyring } = createTestKeyring(bob.storage, new ManualTime());
    await keyring.unlock({ password: PASSWORD });
    expect(await keyring.ownBoxes({ boxes: [name] })).toEqual([box]);
  });

  it("is opened by its key for what its person may write, and closed for no one", async () => {
    const request = { boxes: [name], untilSec: 1_800_000_000, height: 12 };
    const [opened] = await bob.keyring.signOpenings(request);
    const [closed] = await bob.keyring.signOpenings({ ...request, isClosing: true });
    const writeKey = toHex(ed25519PublicKey(box.writeSeed));
    expect(opened).toMatchObject({ mailbox: box.mailbox, writeKey, read: "anyone", untilSec: 1_800_000_000, height: 12 });
    expect(closed).toMatchObject({ mailbox: box.mailbox, untilSec: 1_800_000_000, height: 12 });
    expect(closed?.writeKey).not.toBe(writeKey);
    for (const opening of [opened, closed]) {
      if (opening === undefined) throw new Error("no opening");
      expect(await isSignedOpening(CHAIN, opening, verifyZip215)).toBe(true);
      expect(await isSignedOpening(CHAIN, { ...opening, untilSec: 1_800_000_001 }, verifyZip215)).toBe(false);
    }
  });

  it("takes what is sealed to a card, admitted, and nothing else opens it", async () => {
    const envelope = await sealToBox(box);
    expect(envelope.recipient_pub).toBe(box.mailbox);
    const by = { writeKey: toHex(ed25519PublicKey(box.writeSeed)), admit: envelope.admit ?? "" };
    expect(await isAdmitted(CHAIN, envelope, by, verifyZip215)).toBe(true);
    expect(await isAdmitted(CHAIN, { ...envelope, sent_at: 5 }, by, verifyZip215)).toBe(false);
    expect(await openIn(box.mailbox, envelope)).toBe("hello");
    expect(await openIn(undefined, envelope)).toBeUndefined();
    // The key of a content names the mailbox: what opens in one is not of another.
    expect(await openIn(bob.account.devicePub, envelope)).toBeUndefined();
  });

  it("has nothing of version 1: that goes to the lasting mailbox, as without a box", async () => {
    const [plain] = await ann.keyring.seal({ requests: [{ plaintext: utf8("hello"), recipients: [box.mailbox], sentAt: 5 }] });
    expect(plain?.admit).toBeUndefined();
    expect(await bob.keyring.open({ items: [{ ...(plain as SealedEnvelope), box: name }] })).toEqual([
      { plaintext: null, senderPub: plain?.sender_pub },
    ]);
    const lasting = await sealToBox(undefined);
    expect([lasting.recipient_pub, lasting.admit]).toEqual([bob.account.devicePub, undefined]);
    expect(await openIn(undefined, lasting)).toBe("hello");
  });

  it("is emptied by the signature of its own key", async () => {
    const deletion = { ids: ["one", "two"], height: 9 };
    const signature = await bob.keyring.signDeletion({ chainId: CHAIN, ...deletion, box: name });
    expect(await isSignedDeletion(CHAIN, { mailbox: box.mailbox, ...deletion, signature }, verifyZip215)).toBe(true);
    expect(await isSignedDeletion(CHAIN, { mailbox: bob.account.devicePub, ...deletion, signature }, verifyZip215)).toBe(false);
  });

  it("needs an open keyring", async () => {
    await bob.keyring.lock();
    await expect(bob.keyring.ownBoxes({ boxes: [name] })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    await expect(bob.keyring.signOpenings({ boxes: [name], untilSec: 1, height: 1 })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
  });
});
