// Address poisoning: an attacker makes an address whose ends equal those of one that was paid before, and waits for it to be copied.
// A candidate is compared with the people that one chose oneself, never with senders: anyone can send.
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Characters of the fixed beginning `pl1`, which all addresses share. */
const PREFIX_LENGTH = 3;
/** Characters that must be equal at each end. Two honest addresses do so once in 2³⁰ pairs. */
const EQUAL_CHARACTERS = 3;

/** A known address that the candidate could be mistaken for. */
export interface LookAlike {
  /** The address that was paid before. */
  readonly known: PublicKeyHex;
  readonly candidate: PublicKeyHex;
}

/** One character of an address, and whether the other address differs at its position. */
export interface ComparedCharacter {
  readonly character: string;
  readonly differs: boolean;
}

/** The known address that resembles the candidate, or undefined. The candidate itself being known is no resemblance. */
export function findLookAlike(candidate: PublicKeyHex, known: Iterable<PublicKeyHex>): LookAlike | undefined {
  const address = formatAddress(candidate);
  let found: LookAlike | undefined;
  for (const key of known) {
    if (key === candidate) return undefined;
    if (found === undefined && resembles(address, formatAddress(key))) found = { known: key, candidate };
  }
  return found;
}

/** The characters of an address, marked where the other address differs. */
export function compareAddresses(address: string, other: string): readonly ComparedCharacter[] {
  return [...address].map((character, index) => ({ character, differs: character !== other[index] }));
}

function resembles(a: string, b: string): boolean {
  return (
    a.slice(PREFIX_LENGTH, PREFIX_LENGTH + EQUAL_CHARACTERS) === b.slice(PREFIX_LENGTH, PREFIX_LENGTH + EQUAL_CHARACTERS) &&
    a.slice(-EQUAL_CHARACTERS) === b.slice(-EQUAL_CHARACTERS)
  );
}
