// Codecs of single fields that several contents have.

import type { Codec } from "#shared/codec/codec.ts";
import { fields, mapped, openArray } from "#shared/codec/composites.ts";
import { map } from "#shared/codec/maps.ts";
import { hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { MessageReference } from "./content.ts";

/** Bounds of the shape of a content. */
export const SHAPE = { maxDepth: 8, maxItems: 4_096 } as const;

/** A public key. */
export const key = hex(32);
/** An id of a message. */
export const id = hex(16);
/** A sender chain. */
export const stream = hex(8);

/** The block that a node knows by its height and hash. */
export const block: Codec<Checkpoint> = openArray(fields({ height: integer(1), hash: hex(32) }));

/** Author and id of a message. */
export const reference: Codec<MessageReference> = map({ author: key, id });

/** A text of `min` to `max` UTF-8 bytes that a person typed: what is no Unicode in it is replaced when it is written. */
export function typedText(max: number, min = 0): Codec<string> {
  return mapped(
    textUpTo(max, min),
    (text) => text,
    (text) => text.toWellFormed(),
  );
}
