// Fields of the messages of light nodes: what reading them has in common.
import { countOf } from "#node/engine/message-encoding.ts";
import { textOf } from "#node/network/wire/wire-codec.ts";
import type { CborValue } from "#shared/protocol/cbor.ts";

/** Fields of a message after its kind. */
export type Fields = readonly CborValue[];

/** A list of at most `most` values. @throws TypeError on anything else. */
export function itemsOf(value: CborValue | undefined, most: number): readonly CborValue[] {
  return Array.isArray(value) && value.length <= most ? value : refuse(`a list of at most ${most}`);
}

/** A text of at most `most` characters. @throws TypeError on anything else. */
export function shortTextOf(value: CborValue | undefined, most: number): string {
  const text = textOf(value);
  return text.length <= most ? text : refuse(`a text of at most ${most} characters`);
}

/** A number from 1 to `most`. @throws TypeError on anything else. */
export function numberUpTo(value: CborValue | undefined, most: number): number {
  const count = countOf(value);
  return count > 0 && count <= most ? count : refuse(`a number from 1 to ${most}`);
}

/** @throws TypeError that something else was expected. */
export function refuse(expected: string): never {
  throw new TypeError(`Expected ${expected}`);
}
