// The people of the seeded chain: one whose recovery phrase the tests know, and many around them.
import { hash } from "node:crypto";
import nacl from "tweetnacl";
import { masterSeed } from "#shared/keyring/vault/derivation.ts";
import { phraseOfEntropy, seedOfPhrase } from "#shared/keyring/vault/phrase.ts";
import { toHex } from "#shared/util/bytes.ts";
import { accountOfSeed, type BenchAccount } from "../../bench/load/accounts.ts";

/** One person. */
export interface SeededPerson {
  readonly account: BenchAccount;
  readonly name: string;
  /** X25519 key that they publish. */
  readonly boxKey: string;
}

const GIVEN = [
  "Ada",
  "Bruno",
  "Chiara",
  "David",
  "Elif",
  "Farid",
  "Greta",
  "Hana",
  "Ivo",
  "Jun",
  "Katja",
  "Liam",
  "Mira",
  "Noor",
  "Ole",
  "Pia",
  "Quinn",
  "Rosa",
  "Sami",
  "Tara",
] as const;
const FAMILY = ["Adler", "Bell", "Costa", "Dietz", "Eklund", "Fuchs", "Garcia", "Haas", "Ito", "Jansen", "Kaya", "Lind", "Moser"] as const;

/** Words of the person at the desk. */
export const ROBINS_PHRASE: readonly string[] = phraseOfEntropy(new Uint8Array(32).fill(0x42));

/** The person at the desk. */
export function robin(): SeededPerson {
  return { account: accountOfSeed(masterSeed(seedOfPhrase(ROBINS_PHRASE))), name: "Robin", boxKey: boxKeyOf("robin") };
}

/** Person number n; names repeat as names do. */
export function seededPerson(n: number): SeededPerson {
  const name = `${GIVEN[n % GIVEN.length]} ${FAMILY[Math.floor(n / GIVEN.length) % FAMILY.length]}`;
  return { account: accountOfSeed(hash("sha256", `parley seeded person ${n}`, "buffer")), name, boxKey: boxKeyOf(`person ${n}`) };
}

/** Username of person number n. */
export function usernameOf(n: number): string {
  return `${(GIVEN[n % GIVEN.length] ?? "").toLowerCase()}.${n}`;
}

function boxKeyOf(name: string): string {
  return toHex(nacl.box.keyPair.fromSecretKey(new Uint8Array(hash("sha256", `parley seeded box ${name}`, "buffer"))).publicKey);
}
