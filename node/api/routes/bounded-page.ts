// Pages of lists whose items differ in size.
import type { ListOf } from "#node/queries/read-queries.ts";
import { RESPONSE_BYTES } from "../limits.ts";

/** The items that fit into a response, at least one, and where the list continues. */
export function boundedPage<T>({ items, next }: ListOf<T>, idOf: (item: T) => string): ListOf<T> {
  let room = RESPONSE_BYTES;
  const beyond = items.findIndex((item, index) => {
    room -= Buffer.byteLength(JSON.stringify(item)) + 1;
    return room < 0 && index > 0;
  });
  const last = items[beyond - 1];
  return beyond < 0 || last === undefined ? { items, next } : { items: items.slice(0, beyond), next: idOf(last) };
}
