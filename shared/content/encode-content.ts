// From content to plaintext: deterministic CBOR of a map with text keys, framed and padded.
import { type CborValue, encodeCbor } from "#shared/protocol/cbor.ts";
import { assertNever } from "#shared/util/assert.ts";
import { fromHex, utf8 } from "#shared/util/bytes.ts";
import { type KnownBody, MAX_RECEIPT_IDS, MAX_TEXT_BYTES, type OutgoingContent } from "./content.ts";
import { frameContent } from "./content-frame.ts";

/**
 * Plaintext of a content.
 * @throws RangeError when a limit is exceeded.
 */
export function encodeContent(content: OutgoingContent): Uint8Array {
  return frameContent(
    encodeCbor({
      id: fromHex(content.id),
      from: fromHex(content.from),
      dev: fromHex(content.fromDevice),
      to: fromHex(content.to),
      chain: content.chainId,
      at: content.at,
      kind: content.body.kind,
      body: encodeBody(content.body),
    }),
  );
}

function encodeBody(body: KnownBody): CborValue {
  switch (body.kind) {
    case "text":
      return { text: checkedText(body.text) };
    case "receipt":
      return { status: body.status, ids: encodeIds(body.ids) };
    case "sync.sent":
      return { peer: fromHex(body.peer), id: fromHex(body.id), at: body.at, kind: body.body.kind, body: encodeBody(body.body) };
    case "sync.read":
      return { peer: fromHex(body.peer), ids: encodeIds(body.ids) };
    default:
      return assertNever(body);
  }
}

function checkedText(text: string): string {
  const bytes = utf8(text).length;
  if (bytes === 0 || bytes > MAX_TEXT_BYTES) throw new RangeError(`A text has 1 to ${MAX_TEXT_BYTES} bytes, not ${bytes}`);
  return text.toWellFormed();
}

function encodeIds(ids: readonly string[]): CborValue {
  if (ids.length === 0 || ids.length > MAX_RECEIPT_IDS) throw new RangeError(`A receipt names 1 to ${MAX_RECEIPT_IDS} messages`);
  return ids.map(fromHex);
}
