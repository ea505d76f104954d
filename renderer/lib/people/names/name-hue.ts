// The colour of a person's name where several people write: the same everywhere, as it comes from their key.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** So many that two of them are not mistaken for each other. */
const HUES = 12;

/** Hue in degrees, for `oklch()`. */
export function nameHue(person: PublicKeyHex): number {
  return (Number.parseInt(person.slice(0, 8), 16) % HUES) * (360 / HUES);
}
