// Events of several blocks in the form that is sent, for readers that catch up. Made beside the thread that makes blocks, where there is
// one for it.
import type { BlockReads, IndexReads } from "#node/explorer/chain-reads.ts";
import type { EventChunk, StreamPosition } from "#node/queries/chain-events.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { eventId } from "./event-id.ts";

/** What events say of a block. */
export interface EventBlock {
  readonly index: Height;
  readonly hash: HashHex;
  readonly transactions: readonly { readonly id: string; readonly from: string }[];
}

/** What is read of a chain. */
export interface EventChain {
  readonly blocks: Pick<BlockReads, "summary">;
  readonly explorer: Pick<IndexReads, "transactionsOf">;
}

/** A chunk ends with the block that brings it to this length, characters. */
const CHUNK_CHARS = 65_536;

/** Events from a position on; undefined when there is no such block yet. */
export function readEventChunk({ blocks, explorer }: EventChain, { height, skip }: StreamPosition): EventChunk | undefined {
  let text = "";
  let next = height;
  while (text.length < CHUNK_CHARS) {
    const hash = blocks.summary(next)?.hash;
    if (hash === undefined) break;
    const events = formatEvents({ index: next, hash, transactions: explorer.transactionsOf(next) });
    text += events.slice(next === height ? skip : 0).join("");
    next += 1;
  }
  return next === height ? undefined : { bytes: utf8(text), next };
}

/** The events of a block, each with its id. */
export function formatEvents({ index, hash, transactions }: EventBlock): readonly string[] {
  const block = { type: "block", index, hash, tx_count: transactions.length };
  const events = [block, ...transactions.map(({ id, from }) => ({ type: "tx", id, block: index, from }))];
  return events.map((event, position) => `id: ${eventId(index, position)}\ndata: ${JSON.stringify(event)}\n\n`);
}
