// Whom one can put into a group. Pure.
import type { ContactDirectory } from "#renderer/lib/people/contacts/contact-directory.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Contacts of both directions, none blocked, no requests. */
export function contactsOf(book: ContactDirectory): readonly PublicKeyHex[] {
  return book.people.map(({ publicKey }) => publicKey);
}
