// Finds the transaction in which an identity published an encryption key. Histories are long, so it is looked for around the time at which
// the chain lists the device; nothing of what the node says here is believed: the transaction proves itself.
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromHex, toBase64 } from "#shared/util/bytes.ts";
import type { KeyPublication } from "../model/node-port.ts";

/** Entries of a page of the history. */
const PAGE = 100;
/** Pages that are read for one key. */
const MAX_PAGES = 24;
/** Transactions that are looked into for one key: an identity may publish the same key again and again. */
const MAX_DETAILS = 32;
/** The time that a transaction states may differ so much from its block's, seconds. */
const SLACK_S = 3 * 3_600;

type History = Output<"getAddress">;
type Entry = History["transactions"][number];

/** What is looked for. */
export interface WantedKey {
  readonly masterPub: PublicKeyHex;
  readonly key: string;
  /** Unix seconds at which the chain lists the key as a device's; undefined for the identity's own. */
  readonly addedAt: number | undefined;
}

/** The publication of a key; `unknown` where the node does not hold all that could be one, or there is too much of it. */
export async function findPublication(client: NodeClient, wanted: WantedKey): Promise<KeyPublication> {
  try {
    return await search(client, wanted);
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return "absent";
    if (isCodedError(error, "HISTORY_PRUNED")) return "unknown";
    throw error;
  }
}

async function search(client: NodeClient, { masterPub, key, addedAt }: WantedKey): Promise<KeyPublication> {
  const read = pagesOf(client, masterPub);
  const last = Math.max(0, Math.ceil((await read(0)).tx_count / PAGE) - 1);
  const pages = addedAt === undefined ? fromBothEnds(last) : await around(addedAt, last, read);
  let details = 0;
  let hasAll = pages.isComplete;
  for (const page of pages.numbers) {
    const { transactions, missing_below: missing } = await read(page);
    if (missing !== undefined) hasAll = false;
    for (const entry of transactions.filter(({ from, type }) => from === masterPub && PUBLISHING.includes(type))) {
      details += 1;
      if (details > MAX_DETAILS) return "unknown";
      const found = await transactionOf(client, entry);
      if (found.key === key) return found.transaction;
    }
  }
  return hasAll ? "absent" : "unknown";
}

const PUBLISHING: readonly Entry["type"][] = ["LINK_DEVICE", "REGISTER_KEY"];

/** Reads pages of the history, each once; 0 is the newest. */
function pagesOf(client: NodeClient, addr: PublicKeyHex): (page: number) => Promise<History> {
  const known = new Map<number, Promise<History>>();
  return (page) => {
    const history = known.get(page) ?? client.getAddress({ addr, limit: PAGE, offset: page * PAGE });
    known.set(page, history);
    return history;
  };
}

interface Pages {
  readonly numbers: readonly number[];
  /** Nothing that could be the publication lies on another page. */
  readonly isComplete: boolean;
}

/** The oldest page first: most people publish their key with their first transactions. */
function fromBothEnds(last: number): Pages {
  const newest = Array.from({ length: Math.min(last, MAX_PAGES) }, (_, page) => page);
  return { numbers: [last, ...newest], isComplete: newest.length === last };
}

/** Pages that hold transactions of about a time. */
async function around(timeS: number, last: number, read: (page: number) => Promise<History>): Promise<Pages> {
  let low = 0;
  let high = last;
  // The newest page whose oldest entry is not younger than the time.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const oldest = (await read(middle)).transactions.at(-1);
    if (oldest === undefined || Date.parse(oldest.time) / 1000 <= timeS + SLACK_S) high = middle;
    else low = middle + 1;
  }
  const numbers: number[] = [];
  for (let page = low; page <= last; page += 1) {
    if (numbers.length >= MAX_PAGES) return { numbers, isComplete: false };
    numbers.push(page);
    const oldest = (await read(page)).transactions.at(-1);
    if (oldest !== undefined && Date.parse(oldest.time) / 1000 < timeS - SLACK_S) break;
  }
  return { numbers, isComplete: true };
}

/** A transaction in the form in which it was submitted, and the key that it says it publishes. */
async function transactionOf(client: NodeClient, { id }: Entry): Promise<{ readonly key: unknown; readonly transaction: object }> {
  const found = await client.getTransaction({ txid: id });
  const key = (found.payload as { readonly x25519_pub_key?: unknown } | undefined)?.x25519_pub_key;
  const { type, from, to, amount_ut: amount, fee_ut: fee, time: timestamp, payload_hex: payload, signature_hex: signature } = found;
  const transaction = { id, type, from, to, amount, fee, timestamp, payload: base64Of(payload), signature: base64Of(signature) };
  return { key: typeof key === "string" ? key.toLowerCase() : key, transaction };
}

function base64Of(hex: string): string {
  return toBase64(fromHex(hex));
}
