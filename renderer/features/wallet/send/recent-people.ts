// Who is offered as a face to pay again. Pure.
import type { ContactDirectory } from "#renderer/lib/people/contacts/contact-directory.ts";
import { entryOf } from "#renderer/lib/people/contacts/contact-directory.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { findLookAlike } from "#shared/text/look-alike.ts";

/** One row of them. */
export const MOST_FACES = 5;

/**
 * People paid last, the latest first: not those who are blocked, and no address that resembles another one that was paid or is a contact. A
 * press on a face leads straight to the amount, so who was paid once by mistake must not be one.
 */
export function recentPeople(payees: readonly PublicKeyHex[], directory: ContactDirectory): readonly PublicKeyHex[] {
  const known = [...payees, ...directory.people.map(({ publicKey }) => publicKey)];
  const faces: PublicKeyHex[] = [];
  for (const key of payees) {
    if (faces.length === MOST_FACES) break;
    const isBlocked = entryOf(directory, key).relation === "blocked";
    const others = known.filter((other) => other !== key);
    if (!isBlocked && findLookAlike(key, others) === undefined) faces.push(key);
  }
  return faces;
}
