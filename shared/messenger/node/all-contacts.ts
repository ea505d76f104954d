// All contact requests of a key: the node lists them in pages.
import { CodedError } from "#shared/errors/coded-error.ts";

/** A node that never comes to an end is not believed: half a million requests. */
const MAX_PAGES = 100;

interface Page<T> {
  readonly contacts: readonly T[];
  readonly has_more: boolean;
  readonly next_after?: string;
}

/** Reads page after page, oldest first. @throws CodedError UPSTREAM_FAILED for a list without an end. */
export async function readAllContacts<T>(read: (page: { readonly after?: string }) => Promise<Page<T>>): Promise<readonly T[]> {
  const contacts: T[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { contacts: next, has_more: hasMore, next_after: nextAfter } = await read(after === undefined ? {} : { after });
    contacts.push(...next);
    if (!hasMore || nextAfter === undefined) return contacts;
    after = nextAfter;
  }
  throw new CodedError("UPSTREAM_FAILED", "The node's list of contact requests has no end");
}
