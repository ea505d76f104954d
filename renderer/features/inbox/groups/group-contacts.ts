// Whom one can put into a group. Pure.
import type { ContactBook } from "#renderer/lib/people/book/contact-book.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Contacts of both directions, nobody blocked, no requests. */
export function contactsOf(book: ContactBook): readonly PublicKeyHex[] {
  return book.people.filter(({ standing }) => standing === "contact").map(({ publicKey }) => publicKey);
}
