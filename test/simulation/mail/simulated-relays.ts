// Relays of a simulated network: keys, networks, wallets and bonds, from a seed.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import { type BondedRelay, keeperSalt } from "#shared/protocol/keepers/keeper-standing.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import type { Random } from "#test/support/host/random.ts";

/** Bond of a validator of these networks, µT; a keeper's is a twentieth. */
export const VALIDATOR_BOND_UT = 1_000_000;
const KEEPER_BOND_UT = VALIDATOR_BOND_UT / 20;
/** What bonds relays have, in keepers' bonds: seven of ten have one, two have two, one has four. */
const WEIGHTS = [1, 1, 1, 1, 1, 1, 1, 2, 2, 4] as const;

/** SHA-256 of a text, hex: keys, salts and seeds of simulations. */
export function hashText(text: string): string {
  return toHex(nativeSha256(utf8(text)));
}

/** Key of a simulated box. */
export function boxKey(number: number): string {
  return hashText(`box ${number}`);
}

/** A relay that has registered. A few share a /24, and one of ten belongs to one of eight operators, who have a wallet each. */
export function simulatedRelay(name: string, random: Random, registeredAtS: number): BondedRelay {
  const network = random.between(0, 8_000);
  return {
    key: hashText(`relay ${name}`),
    x25519: hashText(`x25519 ${name}`),
    multiaddr: `/ip4/81.${network >> 8}.${network & 255}.${random.between(1, 250)}/tcp/4001`,
    wallet: random.chance(0.1) ? hashText(`operator ${random.between(0, 7)}`) : hashText(`wallet ${name}`),
    bondUt: KEEPER_BOND_UT * (WEIGHTS[random.between(0, WEIGHTS.length - 1)] ?? 1),
    registeredAtS,
    withdrawnAtS: 0,
    suspendedUntilS: 0,
    heartbeats: 0,
    lastHeartbeatS: registeredAtS,
  };
}

/** A keeper as a directory lists it, without the chain that lets it in. */
export function simulatedKeeper(name: string, random: Random, given: Partial<Keeper> = {}): Keeper {
  const { key, x25519, multiaddr, wallet, bondUt } = simulatedRelay(name, random, 0);
  const network = multiaddr.split(".").slice(0, 3).join(".");
  return { key, x25519, multiaddr, wallet, network, weight: bondUt / KEEPER_BOND_UT, salt: keeperSalt(key, hashText("a block")), ...given };
}

/** Sum of the weights. */
export function weightOf(keepers: readonly Pick<Keeper, "weight">[]): number {
  return keepers.reduce((sum, { weight }) => sum + weight, 0);
}
