// The order in which finds of a chain are looked up: anyone can make them, so strangers must not push out one's own.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Who is near. */
export interface Nearness {
  readonly me: PublicKeyHex;
  readonly contacts: ReadonlySet<PublicKeyHex>;
}

/** What oneself made first, then what contacts made, then all else; each part stays in its order. */
export function nearestFirst<T>(items: readonly T[], makerOf: (item: T) => PublicKeyHex, { me, contacts }: Nearness): readonly T[] {
  const rankOf = (item: T): number => {
    const maker = makerOf(item);
    return maker === me ? 0 : contacts.has(maker) ? 1 : 2;
  };
  return items.toSorted((a, b) => rankOf(a) - rankOf(b));
}
