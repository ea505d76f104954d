// Bytes of a content of a pair. The own card and box, and what this device takes, opens and reads, go along in place of padding, never where it
// would raise the size.

import { type KnownBody, MAX_FILE_BOXES, MAX_FILE_BYTES } from "#shared/content/content.ts";
import { MAX_PAD_BYTES, type OutgoingPairContent } from "#shared/content/pairs/pair-content.ts";
import { bodyLength, encodePairContent } from "#shared/content/pairs/pair-content-codec.ts";
import { LOG_VERSION } from "#shared/protocol/groups/group-bounds.ts";
import { PAIR_FORM, PUBLIC_PAIR_FORM, pairSize } from "#shared/protocol/pairs/pair-wire.ts";
import type { LeavingContent } from "./leave-contents.ts";

/** A content as it is sealed, and the id of the card that it shows. */
export interface PairPlaintext {
  readonly plaintext: Uint8Array;
  readonly cardId: string | undefined;
}

type Beside = "card" | "box" | "files" | "boxes" | "form" | "logs" | "pad";

/**
 * What is around a body is counted as so many bytes at least, where a text and its copy are to be of one size. More it is with gaps in a chain
 * and several heads of a log.
 */
const FRAME_BYTES = 512;

/**
 * A content that leaves. `twin`: the body of the same thing for others, whose size this content has as well: a copy names its chat, and
 * would be known by the larger size alone. @throws RangeError when a limit is exceeded.
 */
export function pairPlaintext(
  { id, frame, isPublic, shown: card, told: box }: LeavingContent,
  content: Omit<OutgoingPairContent, "id" | Beside | keyof LeavingContent["frame"]>,
  twin?: KnownBody,
): PairPlaintext {
  const encode = (more: Pick<OutgoingPairContent, Beside>): Uint8Array => encodePairContent({ ...content, ...frame, id, ...more });
  const form = isPublic ? PUBLIC_PAIR_FORM : PAIR_FORM;
  let said: Pick<OutgoingPairContent, "pad"> = {};
  let plaintext = encode(said);
  let size = pairSize(plaintext.length, form);
  const missing = twin === undefined ? 0 : lengthBeside(plaintext.length, content.body, twin) - plaintext.length;
  const larger = pairSize(plaintext.length + missing, form);
  if (larger !== undefined && larger !== size && missing <= MAX_PAD_BYTES) {
    said = { pad: new Uint8Array(missing) };
    plaintext = encode(said);
    size = larger;
  }
  // The card goes before the box: secrets are destroyed sooner by it.
  const ofFiles = { files: MAX_FILE_BYTES, boxes: MAX_FILE_BOXES, form: PUBLIC_PAIR_FORM };
  for (const more of [card && { card }, box && { box }, ofFiles, { logs: LOG_VERSION }]) {
    if (more === undefined) continue;
    const longer = encode({ ...said, ...more });
    if (pairSize(longer.length, form) !== size) continue;
    said = { ...said, ...more };
    plaintext = longer;
  }
  return { plaintext, cardId: "card" in said ? card?.id : undefined };
}

/** Bytes of a content that has the longer of two bodies, by which both are sized. */
function lengthBeside(length: number, body: KnownBody, twin: KnownBody): number {
  const own = bodyLength(body);
  return Math.max(own, bodyLength(twin)) + Math.max(length - own, FRAME_BYTES);
}
