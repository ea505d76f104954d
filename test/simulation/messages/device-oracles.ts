// What a device must hold and have by the rules, evaluated a second time, and compared with its disk.
import type { PairState } from "#shared/messenger/pairs/pair-state.ts";
import { AsideOracle } from "./simulated-aside.ts";
import type { Disk } from "./simulated-disk.ts";
import { PublicOracle } from "./simulated-public.ts";
import { ThiefOracle } from "./thief-oracle.ts";

type Cards = PairState<string>["cards"];

/** The oracles of one device. */
export class DeviceOracles {
  readonly aside = new AsideOracle();
  #public = new PublicOracle();
  /** By peer and instance. */
  readonly #pairs = new Map<string, Map<string, ThiefOracle>>();
  /** What was compared last, and the oracle's version then: the same again need not be. */
  readonly #compared = new Map<string, { readonly cards: Cards; readonly oracle: ThiefOracle; readonly version: number }>();
  #comparedPublic: { readonly cards: object; readonly day: number } | undefined;

  /** The disk was put back. What the device has to destroy it does not know any more: the rules begin with what is there again. */
  restart(disk: Disk): void {
    this.#pairs.clear();
    this.#public = new PublicOracle();
    this.#comparedPublic = undefined;
    this.notePublic(disk);
    this.aside.restart(disk.aside);
  }

  notePublic({ publicCards }: Disk): void {
    for (const { secret, day } of publicCards?.cards ?? []) this.#public.note(secret, day);
  }

  of(peer: string, { instance }: Pick<PairState<string>, "instance">): ThiefOracle | undefined {
    return this.#pairs.get(peer)?.get(instance);
  }

  /** A card was drawn, as the state has it. */
  draw(peer: string, state: PairState<string>, key: string): void {
    const ofPeer = this.#pairs.get(peer) ?? new Map<string, ThiefOracle>();
    this.#pairs.set(peer, ofPeer);
    if (state.nextNumber === 2) ofPeer.set(state.instance, oracleFor(state));
    ofPeer.get(state.instance)?.draw(key);
  }

  /** What a thief finds of public cards against the rules, or does not find; undefined where they are kept. */
  wrongPublicKey({ publicCards }: Disk, day: number): string | undefined {
    if (publicCards === undefined || (this.#comparedPublic?.cards === publicCards.cards && this.#comparedPublic.day === day))
      return undefined;
    const keys = publicCards.cards.map(({ secret }) => secret);
    const wrong = this.#public.difference(keys, day);
    if (wrong === undefined) this.#comparedPublic = { cards: publicCards.cards, day };
    return wrong;
  }

  /** The same of cards of pairs, in words. */
  wrongKeys({ pairs }: Disk): string | undefined {
    for (const [peer, { state }] of pairs) {
      const oracle = this.of(peer, state);
      const compared = this.#compared.get(peer);
      const { cards } = state;
      if (oracle === undefined) continue;
      if (compared?.cards === cards && compared.oracle === oracle && compared.version === oracle.version) continue;
      const { allowed } = oracle;
      const held = cards.map(({ secret }) => secret);
      if (allowed.length !== held.length || allowed.some((key, at) => key !== held[at]))
        return `holds [${held.join(", ")}] for ${peer}, and the rules leave [${allowed.join(", ")}]`;
      this.#compared.set(peer, { cards, oracle, version: oracle.version });
    }
    return undefined;
  }
}

function oracleFor({ theirs }: PairState<string>): ThiefOracle {
  const chains = [theirs?.chain, theirs?.former?.chain].filter((chain) => chain !== undefined);
  return new ThiefOracle(
    chains.map(({ instance, upTo, ahead }) => [
      instance,
      [...Array.from({ length: upTo }, (_, at) => at + 1), ...ahead.map(({ position }) => position)],
    ]),
  );
}
