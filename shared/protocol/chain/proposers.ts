// Who proposes in which round of a height. Each height has an order of its own, by a hash of what no proposer chooses; validators whose
// latest turns were left out stand behind the others. All of it follows from the headers of the chain.
import { concatBytes, fromHex, utf8 } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import { type Sha256, sha256 } from "../primitives/hash.ts";
import type { BlockHeader, HashHex, Height } from "./header.ts";
import type { ValidatorSet } from "./validators.ts";

/** Missed turns are forgotten at every height that this divides: a node that starts reads no more headers than these. */
export const PROPOSER_EPOCH_BLOCKS = 8_192;
/** Heights for which a missed turn puts a validator behind the others; twice as many after the next one in a row, and so on. */
const FIRST_WAIT_BLOCKS = 256;
/** A wait is doubled so often at most: then it is as long as an epoch. */
const MOST_DOUBLINGS = 5;

const DOMAIN = utf8("parley-proposers\n");
const WORD_BYTES = 4;
/** Words of a hash. */
const WORDS = 8;

/** A block as far as the order of later heights depends on it. */
export type DecidedProposer = Pick<BlockHeader, "height" | "validatorsHash" | "proposer">;

/** Turns that a validator missed since it last proposed a block, and the first height at which it is in order again. */
interface Demotion {
  readonly misses: number;
  readonly until: Height;
}

/** A pseudorandom order of validator indexes: Fisher–Yates over words of SHA-256(domain ‖ validators hash ‖ height ‖ counter). */
export function shuffledValidators(hashOfSet: HashHex, height: Height, size: number, hash: Sha256 = sha256): readonly number[] {
  const order = Array.from({ length: size }, (_, index) => index);
  const seed = concatBytes(DOMAIN, fromHex(hashOfSet), bigEndian(height, 8));
  let digest = new Uint8Array(0);
  for (let last = size - 1, word = 0; last > 0; last -= 1, word += 1) {
    const at = (word % WORDS) * WORD_BYTES;
    if (at === 0) digest = Uint8Array.from(hash(concatBytes(seed, bigEndian(word / WORDS, 4))));
    const chosen = new DataView(digest.buffer).getUint32(at) % (last + 1);
    [order[last], order[chosen]] = [order[chosen] ?? 0, order[last] ?? 0];
  }
  return order;
}

/** The proposer of a round, an index into the set; −1 without validators. */
export function proposerOf(order: readonly number[], round: number): number {
  return order[round % order.length] ?? -1;
}

/** Most validators of a set that stand behind: as many as may be faulty. More would let one that makes others miss turns propose alone. */
export function mostBehind(size: number): number {
  return Math.max(0, Math.floor((size - 1) / 3));
}

/** Follows a chain, header by header, and knows the order of the next height. */
export class ProposerSchedule {
  readonly #hash: Sha256;
  readonly #demotions: Map<PublicKeyHex, Demotion>;
  /** The order that was calculated last: a height is asked for before it is decided. */
  #latest: { readonly height: Height; readonly hashOfSet: HashHex; readonly order: readonly number[] } | undefined;

  constructor(hash: Sha256 = sha256, demotions: ReadonlyMap<PublicKeyHex, Demotion> = new Map()) {
    this.#hash = hash;
    this.#demotions = new Map(demotions);
  }

  /** Validator indexes by their rounds at the height after all that were decided; round r is of number r mod size. */
  order(height: Height, hashOfSet: HashHex, validators: ValidatorSet): readonly number[] {
    if (this.#latest?.height === height && this.#latest.hashOfSet === hashOfSet) return this.#latest.order;
    const shuffled = shuffledValidators(hashOfSet, height, validators.length, this.#hash);
    const behind = this.#behind(height, validators);
    const order = [...shuffled.filter((index) => !behind.has(index)), ...shuffled.filter((index) => behind.has(index))];
    this.#latest = { height, hashOfSet, order };
    return order;
  }

  /** The order of the height after this block, if it is decided and changes no validator. */
  orderAfter(block: DecidedProposer, validators: ValidatorSet): readonly number[] {
    const schedule = new ProposerSchedule(this.#hash, this.#demotions);
    schedule.#latest = this.#latest;
    schedule.decided(block, validators);
    return schedule.order(block.height + 1, block.validatorsHash, validators);
  }

  /** The block of the next height was decided: all before its proposer in the order of that height have missed a turn. */
  decided({ height, validatorsHash, proposer }: DecidedProposer, validators: ValidatorSet): void {
    if (height % PROPOSER_EPOCH_BLOCKS === 0) this.#demotions.clear();
    const keys = this.order(height, validatorsHash, validators).map((index) => validators[index]?.publicKey ?? "");
    for (const key of keys.slice(0, Math.max(0, keys.indexOf(proposer)))) {
      const misses = (this.#demotions.get(key)?.misses ?? 0) + 1;
      const until = height + 1 + FIRST_WAIT_BLOCKS * 2 ** Math.min(misses - 1, MOST_DOUBLINGS);
      this.#demotions.set(key, { misses, until });
    }
    this.#demotions.delete(proposer);
    this.#latest = undefined;
  }

  /**
   * Validators that stand behind at a height: of those that have to, the ones that missed most turns, and the latest ones among equals. Not
   * by the shuffle: to remove the first ones of each height would let the others come first more often than a fixed choice does.
   */
  #behind(height: Height, validators: ValidatorSet): ReadonlySet<number> {
    if (height % PROPOSER_EPOCH_BLOCKS === 0) return new Set();
    const demoted = validators.flatMap(({ publicKey }, index) => {
      const demotion = this.#demotions.get(publicKey);
      return demotion === undefined || demotion.until <= height ? [] : [{ ...demotion, index }];
    });
    demoted.sort((a, b) => b.misses - a.misses || b.until - a.until || a.index - b.index);
    return new Set(demoted.slice(0, mostBehind(validators.length)).map(({ index }) => index));
  }
}

/** The first height whose header the order of a height depends on. */
export function firstProposerHeight(height: Height): Height {
  return Math.max(1, height - (height % PROPOSER_EPOCH_BLOCKS));
}

function bigEndian(value: number, bytes: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 8) view.setBigUint64(0, BigInt(value));
  else view.setUint32(0, value);
  return new Uint8Array(view.buffer);
}
