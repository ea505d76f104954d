// What a device must hold and have by the rules, evaluated a second time, and compared with its disk.
import type { PairState } from "#shared/messenger/pairs/pair-state.ts";
import { AsideOracle } from "../device/simulated-aside.ts";
import type { Disk } from "../device/simulated-disk.ts";
import { CrowdOracle } from "./crowd-oracle.ts";
import { DaysOracle } from "./days-oracle.ts";
import { NewsOracle } from "./news-oracle.ts";
import { OldFormOracle } from "./old-form-oracle.ts";
import { PublicOracle } from "./public-oracle.ts";
import { ThiefOracle } from "./thief-oracle.ts";

type Cards = PairState<string>["cards"];

/** The oracles of one device. */
export class DeviceOracles {
  aside = new AsideOracle();
  news = new NewsOracle();
  days = new DaysOracle();
  crowd = new CrowdOracle();
  oldForm = new OldFormOracle();
  #public = new PublicOracle();
  /** Of the present instance for each peer. */
  readonly #pairs = new Map<string, { readonly instance: string; readonly oracle: ThiefOracle }>();
  /** What was compared last, and the oracle's version then: the same again need not be. */
  readonly #compared = new Map<string, { readonly cards: Cards; readonly oracle: ThiefOracle; readonly version: number }>();
  #comparedPublic: { readonly cards: object; readonly day: number } | undefined;

  /** As they are kept with an image of the disk: what is put back is held to the rules from its first step on. */
  copy(): DeviceOracles {
    const copy = new DeviceOracles();
    for (const [peer, { instance, oracle }] of this.#pairs) copy.#pairs.set(peer, { instance, oracle: oracle.copy() });
    copy.#public = this.#public.copy();
    copy.aside = this.aside.copy();
    copy.news = this.news.copy();
    copy.days = this.days.copy();
    copy.crowd = this.crowd.copy();
    copy.oldForm = this.oldForm.copy();
    return copy;
  }

  notePublic({ publicCards }: Disk): void {
    for (const { secret } of publicCards?.cards ?? []) this.#public.note(secret, this.days.count);
  }

  of(peer: string, { instance }: Pick<PairState<string>, "instance">): ThiefOracle | undefined {
    const known = this.#pairs.get(peer);
    return known?.instance === instance ? known.oracle : undefined;
  }

  /** A card was drawn, as the state has it. */
  draw(peer: string, state: PairState<string>, key: string): void {
    const { instance } = state;
    if (state.nextNumber === 2) this.#pairs.set(peer, { instance, oracle: oracleFor(state) });
    this.of(peer, state)?.draw(key);
  }

  /** What a thief finds of public cards against the rules, or does not find; undefined where they are kept. */
  wrongPublicKey({ publicCards }: Disk): string | undefined {
    const { count: day } = this.days;
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
      if (oracle === undefined) {
        if (cards.length > 0) return `holds cards for ${peer} that no oracle judges`;
        continue;
      }
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
