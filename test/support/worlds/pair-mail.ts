// Two people's devices until they write version 2, what really left in it, opened as its recipient's keyring opens it, and disks of devices
// that are put back.
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import { BOXES_KEY } from "#shared/messenger/pairs/box-registry.ts";
import type { PersonBoxes } from "#shared/messenger/pairs/own-boxes.ts";
import { type PairRecord, pairRecordOf, type StoredPair, storedPair } from "#shared/messenger/pairs/pair-record.ts";
import { createRecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";
import { STORE_TABLES, type StoreChange } from "#shared/messenger/store/store-database.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { PAIR_SIZES, readPair } from "#shared/protocol/pairs/pair-wire.ts";
import { type Device, keyOf, passTime, untilState, untilTexts } from "./messenger-chat.ts";
import { TEST_CHAIN, type TestDevice, type TestRelay } from "./messenger-world.ts";

/** An envelope as its recipient's device sees it. */
export interface SeenEnvelope {
  readonly envelope: Envelope;
  /** Kind of a content of version 1, `pair` for what is sealed to a card; `public`, or `public pair` for that of a pair, under a public one. */
  readonly kind: string;
  /** Bytes of the plaintext of the box. */
  readonly size: number;
  /** Of the card that it is sealed to. */
  readonly cardId: string | undefined;
  /** It is sealed to a card, of the pair or for everyone. */
  readonly isUnderCard: boolean;
  /** It shows a card in version 1. */
  readonly introduces: boolean;
}

/** Two people's devices, and the relay between them. */
export interface PairWorld {
  readonly relay: TestRelay;
  readonly ann: Device;
  readonly bob: Device;
}

/** Each has shown a card, and each knows that of the other. */
export async function acquaintPair({ relay, ann, bob }: PairWorld, devices: readonly Device[] = [ann, bob]): Promise<void> {
  await ann.messenger.sendText(keyOf(bob), "hello");
  await untilTexts(bob, keyOf(ann), ["hello"]);
  await untilState(ann, keyOf(bob), "delivered");
  await settlePairs(relay, devices);
}

/** Lets seconds pass until nothing leaves any more. */
export async function settlePairs(relay: TestRelay, devices: readonly Device[]): Promise<void> {
  let before = -1;
  let still = 0;
  await passTime(devices, 25_000, async () => {
    const isStill = before === relay.history.length && devices.every(({ account }) => relay.count(account.devicePub) === 0);
    still = isStill ? still + 1 : 0;
    before = relay.history.length;
    return still >= 4;
  });
}

/** Everything that was ever laid into a device's mailboxes, from a position on. */
export async function mailFor(device: TestDevice, relay: TestRelay, from = 0): Promise<readonly SeenEnvelope[]> {
  const boxes = new Map((await boxesOf(device)).flatMap(({ peer, boxes: own }) => own.map((box) => [box.mailbox, { ...box, peer }])));
  const isOwn = ({ recipient_pub: mailbox }: Envelope): boolean => mailbox === device.account.devicePub || boxes.has(mailbox);
  const envelopes = relay.history.slice(from).filter(isOwn);
  const items = envelopes.map((envelope) => {
    const box = boxes.get(envelope.recipient_pub);
    return box === undefined ? envelope : { ...envelope, box: { chainId: TEST_CHAIN, peer: box.peer, generation: box.generation } };
  });
  const opened = await device.keyring.open({ items });
  return envelopes.map((envelope, at) => {
    const { plaintext = null, pair } = opened[at] ?? {};
    if (pair !== undefined) return { envelope, size: pair.length, isUnderCard: true, introduces: false, ...seenPair(pair) };
    const decoded = plaintext === null ? undefined : decodePlaintext(plaintext);
    const content = decoded?.form === "content" ? decoded.content : undefined;
    const kind = content?.body.kind ?? "";
    return {
      envelope,
      kind,
      size: plaintext?.length ?? 0,
      cardId: undefined,
      isUnderCard: false,
      introduces: content?.pairCard !== undefined,
    };
  });
}

function seenPair(pair: Uint8Array): Pick<SeenEnvelope, "kind" | "cardId"> {
  const parts = readPair(pair);
  if (typeof parts === "string") return { kind: "pair", cardId: undefined };
  const { cardId, from, isOfPair = false } = parts;
  if (from === undefined) return { kind: "pair", cardId };
  return { kind: isOfPair ? "public pair" : "public", cardId };
}

/** One word for each envelope in a device's mailboxes: `pair`, or the kind of version 1. */
export async function kindsFor(device: TestDevice, relay: TestRelay, from = 0): Promise<readonly string[]> {
  return (await mailFor(device, relay, from)).map(({ kind }) => kind);
}

/** True for the size of a box of version 2. */
export function isPairSize(size: number): boolean {
  return (PAIR_SIZES as readonly number[]).includes(size);
}

/** Every row of a device's store: its disk, as an image. Take and put back while its program is not running. */
export async function imageOf(device: TestDevice): Promise<readonly StoreChange[]> {
  const database = await openMessageDatabase((await device.client.storeKeys()).name, () => undefined);
  const rows = await Promise.all(
    STORE_TABLES.map(async (table) => (await database.list(table)).map((put) => ({ table, put }) as StoreChange)),
  );
  database.close();
  return rows.flat();
}

/** Puts an image back. */
export async function putImageBack(device: TestDevice, image: readonly StoreChange[]): Promise<void> {
  const database = await openMessageDatabase((await device.client.storeKeys()).name, () => undefined);
  for (const table of STORE_TABLES)
    await database.write((await database.list(table)).map((row) => ({ table, delete: "seq" in row ? row.seq : row.key }) as StoreChange));
  await database.write(image);
  database.close();
}

/** Boxes of a device as they are stored. */
export async function boxesOf(device: TestDevice): Promise<readonly PersonBoxes[]> {
  const keys = await device.client.storeKeys();
  const database = await openMessageDatabase(keys.name, () => undefined);
  const row = (await database.list("meta")).find(({ key }) => key === BOXES_KEY);
  database.close();
  return row === undefined ? [] : ((await createRecordCipher(keys).open(`meta ${BOXES_KEY}`, row.sealed)) as readonly PersonBoxes[]);
}

/** Changes the stored pairs of a device, while its program is not running. */
export async function changePairs(device: TestDevice, change: (record: PairRecord) => PairRecord | undefined): Promise<void> {
  const keys = await device.client.storeKeys();
  const database = await openMessageDatabase(keys.name, () => undefined);
  const cipher = createRecordCipher(keys);
  for (const row of await database.list("pairs")) {
    const after = change(pairRecordOf((await cipher.open(`pair ${row.key}`, row.sealed)) as StoredPair));
    const sealed = after && (await cipher.seal(`pair ${row.key}`, storedPair(after)));
    await database.write([sealed === undefined ? { table: "pairs", delete: row.key } : { table: "pairs", put: { ...row, sealed } }]);
  }
  database.close();
}

/** Pairs of a device as they are stored. */
export async function pairsOf(device: TestDevice): Promise<readonly PairRecord[]> {
  const keys = await device.client.storeKeys();
  const database = await openMessageDatabase(keys.name, () => undefined);
  const rows = await database.list("pairs");
  database.close();
  const cipher = createRecordCipher(keys);
  return Promise.all(rows.map(async ({ key, sealed }) => pairRecordOf((await cipher.open(`pair ${key}`, sealed)) as StoredPair)));
}
