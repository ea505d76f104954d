// What is done for cards once an hour: their key is renewed, and the public card of this device is drawn and published, a new one each day.
import { isCodedError } from "#shared/errors/coded-error.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { newInstance } from "./pair-context.ts";
import { noPublicCards, PUBLIC_CARDS_KEY, type PublicRecord, publicCardDue, withDrawn, withPublished } from "./public-record.ts";
import { renewCardKey } from "./retire-cards.ts";

/** @throws CodedError of the keyring, LOCAL_STORE_FAILED, MESSENGER_UNAVAILABLE; what nodes refuse is tried again the next time. */
export async function followCards(context: EngineContext): Promise<void> {
  await renewCardKey(context);
  await drawPublicCard(context);
  await publishCard(context);
}

/** Draws one where it is time. It is stored before anyone learns of it. */
async function drawPublicCard(context: EngineContext): Promise<void> {
  const { account, directory, keyring, node, newestBlock, random, days, store, writer } = context;
  await newestBlock.refresh();
  const { height } = newestBlock.known ?? {};
  // Of a device that the chain does not list no node takes one.
  const keys = await directory.get(account.masterPub).catch(() => undefined);
  const isListed = keys !== undefined && (keys.devices.includes(account.devicePub) || keys.identityKey === account.devicePub);
  if (height === undefined || !isListed) return;
  await writer.run(async () => {
    const record = (await store.readMeta<PublicRecord>(PUBLIC_CARDS_KEY)) ?? noPublicCards(newInstance(random));
    const number = publicCardDue(record, days.now());
    if (number === undefined) return;
    const { instance } = record;
    const drawn = await keyring.drawPublicCard({ chainId: node.chainId, instance, number, height });
    if (drawn === null) return;
    const batch = store.begin();
    const card = { number, secret: toBase64(drawn.secret), day: days.day };
    batch.putMeta(PUBLIC_CARDS_KEY, withDrawn(record, card, toBase64(drawn.card)));
    await batch.commit();
  });
}

/** Hands it to the node, until that has it. */
async function publishCard({ account, node, store, writer }: EngineContext): Promise<void> {
  const { unpublished } = (await store.readMeta<PublicRecord>(PUBLIC_CARDS_KEY)) ?? {};
  if (unpublished === undefined || unpublished === null || unpublished === "") return;
  let isTaken = true;
  try {
    await node.publishCard(account.devicePub, fromBase64(unpublished));
  } catch (error) {
    // Another one counts, or its hour is over: the next one will do.
    if (!isCodedError(error, "FORBIDDEN")) return;
    isTaken = false;
  }
  await writer.run(async () => {
    const record = await store.readMeta<PublicRecord>(PUBLIC_CARDS_KEY);
    if (record?.unpublished !== unpublished) return;
    const batch = store.begin();
    batch.putMeta(PUBLIC_CARDS_KEY, withPublished(record, isTaken));
    await batch.commit();
  });
}
