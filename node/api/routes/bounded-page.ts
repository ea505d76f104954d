// Pages of lists whose items differ in size.
import type { Awaitable } from "#node/queries/awaitable.ts";
import type { CountedList, ListOf, ListPage } from "#node/queries/read-queries.ts";
import { writeExactJson } from "../json/exact-json.ts";
import { RESPONSE_BYTES } from "../limits.ts";

/** Items that are read at once: no more than these and a response are in memory. */
const ITEMS_AT_ONCE = 500;

/** The items that fit into a response, at least one, and where the list continues. */
export function boundedPage<T>({ items, next }: ListOf<T>, idOf: (item: T) => string): ListOf<T> {
  let room = RESPONSE_BYTES;
  const beyond = items.findIndex((item, index) => {
    room -= sizeOf(item);
    return room < 0 && index > 0;
  });
  const last = items[beyond - 1];
  return beyond < 0 || last === undefined ? { items, next } : { items: items.slice(0, beyond), next: idOf(last) };
}

/** A list as far as it fits into a response, read part by part; parts may be short where items were taken out of the list. */
export async function boundedList<T>(
  read: (page: ListPage) => Awaitable<CountedList<T>>,
  { limit, after }: ListPage,
  idOf: (item: T) => string,
): Promise<CountedList<T>> {
  const items: T[] = [];
  let total: number | undefined;
  let next = after;
  let room = RESPONSE_BYTES;
  for (let parts = Math.ceil(limit / ITEMS_AT_ONCE); parts > 0 && items.length < limit; parts -= 1) {
    const page = { limit: Math.min(ITEMS_AT_ONCE, limit - items.length), ...(next === undefined ? {} : { after: next }) };
    const part = await read(page);
    ({ next, total } = part);
    for (const item of part.items) {
      room -= sizeOf(item);
      const last = items.at(-1);
      if (room < 0 && last !== undefined) return { items, next: idOf(last), total };
      items.push(item);
    }
    if (next === undefined) break;
  }
  return { items, next, total };
}

function sizeOf(item: unknown): number {
  return Buffer.byteLength(writeExactJson(item)) + 1;
}
