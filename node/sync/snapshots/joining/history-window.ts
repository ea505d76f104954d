// What the blocks up to a height mean for the next ones: headers, which the order of proposers depends on, and ids of the replay window.
// All of it follows from the verified header of the height, by parent hashes and receipts roots.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { rootHex } from "#shared/protocol/chain/block.ts";
import { type BlockHeader, type HashHex, type Height, headerCodec, headerHash } from "#shared/protocol/chain/header.ts";
import { firstProposerHeight } from "#shared/protocol/chain/proposers.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { encodedReceiptsCodec, receiptsCodec } from "#shared/protocol/transactions/receipt.ts";
import { SNAPSHOT_LIMITS } from "../snapshot-limits.ts";
import type { OnJoinStep } from "./join-steps.ts";
import type { ProvenOrReason, ProvenRequests } from "./proven-requests.ts";

/** Ids of the transactions of a block. */
export interface BlockIds {
  readonly height: Height;
  readonly timeMs: number;
  readonly ids: readonly string[];
}

/** What comes before a height. */
export interface HistoryWindow {
  /** Ascending, without gaps, the last one below the height. */
  readonly headers: readonly BlockHeader[];
  /** Ascending, the block of the height included; blocks without transactions are left out. */
  readonly ids: readonly BlockIds[];
}

/** Fetches what comes before a verified block. @throws CodedError UPSTREAM_FAILED when no peer has it */
export async function fetchWindow(
  at: BlockHeader,
  requests: ProvenRequests,
  signal: AbortSignal,
  onStep: OnJoinStep = () => undefined,
): Promise<HistoryWindow> {
  const headers = await fetchHeaders(at, requests, signal, onStep);
  const all = [...headers, at];
  const recent = all.filter(({ timeMs }) => timeMs > at.timeMs - SEEN_WINDOW_MS);
  return { headers, ids: await fetchIds(recent, requests, signal, onStep) };
}

/** Down to where the order of proposers begins, and to the block before the replay window. */
async function fetchHeaders(
  at: BlockHeader,
  requests: ProvenRequests,
  signal: AbortSignal,
  onStep: OnJoinStep,
): Promise<readonly BlockHeader[]> {
  const lowest = firstProposerHeight(at.height + 1);
  const parts: (readonly BlockHeader[])[] = [];
  let first = at;
  let bytes = 0;
  const say = (): void => onStep({ name: "headers", done: at.height - first.height, total: headersInAll(at, first, lowest), bytes });
  say();
  while (first.height > 0 && (first.height > lowest || first.timeMs > at.timeMs - SEEN_WINDOW_MS)) {
    const from = Math.max(0, first.height - SNAPSHOT_LIMITS.headersPerRequest);
    const range = { from, count: first.height - from };
    const { parentHash } = first;
    const part = await requests.first(
      { kind: "headers", ...range },
      { kind: "headers", check: ({ headers }) => linkedHeaders(headers, range, parentHash) },
      signal,
    );
    parts.push(part);
    first = part[0] ?? first;
    for (const header of part) bytes += encode(headerCodec, header).length;
    say();
  }
  return parts.toReversed().flat();
}

/** How many it will be: down to a height, and to a time at the pace of those that are here. */
function headersInAll(at: BlockHeader, first: BlockHeader, lowest: Height): number {
  const done = at.height - first.height;
  const byTime = first.timeMs >= at.timeMs ? 0 : Math.ceil((done * SEEN_WINDOW_MS) / (at.timeMs - first.timeMs));
  return Math.min(at.height, Math.max(done, at.height - lowest, byTime));
}

function linkedHeaders(
  headers: readonly BlockHeader[],
  { from, count }: { readonly from: Height; readonly count: number },
  lastHash: HashHex,
): ProvenOrReason<readonly BlockHeader[]> {
  if (headers.length !== count) return "it has fewer headers than were requested below the height of a state";
  let hash = lastHash;
  for (const [back, header] of headers.toReversed().entries()) {
    if (header.height !== from + count - 1 - back || headerHash(header, nativeSha256) !== hash)
      return "a header is not the parent of the next";
    hash = header.parentHash;
  }
  return { value: headers };
}

async function fetchIds(
  headers: readonly BlockHeader[],
  requests: ProvenRequests,
  signal: AbortSignal,
  onStep: OnJoinStep,
): Promise<readonly BlockIds[]> {
  const found: BlockIds[] = [];
  let [next, bytes] = [0, 0];
  const say = (): void => onStep({ name: "receipts", done: next, total: headers.length, bytes });
  say();
  while (next < headers.length) {
    const wanted = headers.slice(next, next + SNAPSHOT_LIMITS.blocksPerRequest);
    const from = wanted[0]?.height ?? 0;
    const blocks = await requests.first(
      { kind: "receipts", from, count: wanted.length },
      { kind: "receipts", check: (response) => provenIds(response.blocks, wanted) },
      signal,
    );
    found.push(...blocks.flatMap(({ ids }) => (ids.ids.length > 0 ? [ids] : [])));
    next += blocks.length;
    for (const block of blocks) bytes += block.bytes;
    say();
  }
  return found;
}

/** With the bytes that they came in. */
interface SizedIds {
  readonly ids: BlockIds;
  readonly bytes: number;
}

function provenIds(blocks: readonly Uint8Array[], headers: readonly BlockHeader[]): ProvenOrReason<readonly SizedIds[]> {
  if (blocks.length === 0 || blocks.length > headers.length) return "it has other blocks than were requested";
  const found: SizedIds[] = [];
  for (const [index, bytes] of blocks.entries()) {
    const header = headers[index];
    const encoded = tryDecode(encodedReceiptsCodec, bytes);
    const receipts = tryDecode(receiptsCodec, bytes);
    const isProven = encoded !== undefined && encoded.length === header?.txCount && rootHex(encoded, nativeSha256) === header.receiptsRoot;
    if (!isProven || receipts === undefined) return "its receipts are not those of a block";
    const { height, timeMs } = header;
    found.push({ ids: { height, timeMs, ids: receipts.map(({ txId }) => txId) }, bytes: bytes.length });
  }
  return { value: found };
}
