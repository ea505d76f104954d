// What to know of a recipient before money goes to them: oneself, paid before, first time, or a look-alike of a known person.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { findLookAlike, type LookAlike } from "#shared/text/look-alike.ts";
import { namedKeys, usePeopleNotes } from "./contacts/people-notes.ts";
import { useContactDirectory } from "./contacts/use-contact-directory.ts";
import type { PaidPeople, PaidPerson } from "./paid-people.ts";
import { usePaidPeople } from "./use-paid-people.ts";

/**
 * - `checking`: the history is on its way: nothing may be paid yet.
 * - `unchecked`: the history cannot be read: the person must try again.
 */
export type RecipientCheck =
  | { readonly kind: "none" | "checking" }
  | { readonly kind: "unchecked"; readonly error: unknown; readonly retry: () => void }
  | { readonly kind: "self" }
  | { readonly kind: "paidBefore"; readonly paid: PaidPerson }
  | { readonly kind: "firstTime"; readonly lookAlike: LookAlike | undefined };

/** Checks a recipient against the payments and contacts of an account, and the addresses that its user has named. */
export function useRecipientCheck(account: PublicKeyHex, recipient: PublicKeyHex | undefined): RecipientCheck {
  const { directory } = useContactDirectory();
  const notes = usePeopleNotes((store) => store.notes);
  const { data, error, refetch } = usePaidPeople(account);
  if (recipient === undefined) return { kind: "none" };
  if (recipient === account) return { kind: "self" };
  if (data !== undefined)
    return checkRecipient(recipient, data, [...directory.people.map(({ publicKey }) => publicKey), ...namedKeys(notes)]);
  if (error !== null) return { kind: "unchecked", error, retry: () => void refetch() };
  return { kind: "checking" };
}

/** The check itself; `contacts` are those whom one knows without having paid them. Being a contact does not excuse resembling a person who was paid: an attacker may have asked to become one. */
export function checkRecipient(recipient: PublicKeyHex, paid: PaidPeople, contacts: readonly PublicKeyHex[]): RecipientCheck {
  const known = paid.people.find(({ publicKey }) => publicKey === recipient);
  if (known !== undefined && known.count > 0) return { kind: "paidBefore", paid: known };
  const others = [...paid.people.map(({ publicKey }) => publicKey), ...contacts].filter((key) => key !== recipient);
  return { kind: "firstTime", lookAlike: findLookAlike(recipient, others) };
}

/** True for a recipient who was chosen and about whom there is nothing to look at first: paid before, or a contact like no one else. */
export function isPlain(check: RecipientCheck, isContact: boolean): boolean {
  return check.kind === "paidBefore" || (check.kind === "firstTime" && isContact && check.lookAlike === undefined);
}

/** True when a checked recipient may be paid. */
export function isAllowed(check: RecipientCheck, isOverridden: boolean): boolean {
  switch (check.kind) {
    case "self":
    case "paidBefore":
      return true;
    case "firstTime":
      return check.lookAlike === undefined || isOverridden;
    case "none":
    case "checking":
    case "unchecked":
      return false;
  }
}
