// People in the order of their names.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** By name as the language sorts, the nameless ones last. */
export function sortByName(
  people: readonly PublicKeyHex[],
  names: ReadonlyMap<PublicKeyHex, string>,
  locale: string,
): readonly PublicKeyHex[] {
  const { compare } = new Intl.Collator(locale, { sensitivity: "base", numeric: true });
  return people.toSorted((a, b) => {
    const [nameA, nameB] = [names.get(a), names.get(b)];
    if (nameA === undefined || nameB === undefined) return Number(nameA === undefined) - Number(nameB === undefined);
    return compare(nameA, nameB);
  });
}
