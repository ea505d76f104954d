// The validators of the next height, as keys and as peers.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { peerNameOf } from "../peer-name.ts";
import type { PeerName } from "../peer-network.ts";

/** A node that acts for a validator with another key. */
interface TakenSeat {
  readonly node: PublicKeyHex;
  readonly sinceSec: number;
}

/** Who the validators are; replaced as a whole. */
export class ValidatorDirectory {
  /** Key with which this node may vote. */
  readonly ownKey: PublicKeyHex;
  #keys: readonly PublicKeyHex[] = [];
  #others = new Map<PeerName, PublicKeyHex>();
  #names = new Map<PublicKeyHex, PeerName>();
  /**
   * By validator; at most one for each of them, and for each node. A validator that acts for itself again stays here, so that the node
   * before it cannot come back with its old seat.
   */
  readonly #seats = new Map<PublicKeyHex, TakenSeat>();

  constructor(ownKey: PublicKeyHex) {
    this.ownKey = ownKey;
  }

  /** All keys, ascending. */
  get keys(): readonly PublicKeyHex[] {
    return this.#keys;
  }

  /** All but this node. */
  get others(): readonly PeerName[] {
    return [...this.#others.keys()];
  }

  /** True when the node itself is one. */
  get hasSelf(): boolean {
    return this.#keys.includes(this.ownKey);
  }

  isValidator(peer: PeerName): boolean {
    return this.#others.has(peer);
  }

  keyOf(peer: PeerName): PublicKeyHex | undefined {
    return this.#others.get(peer);
  }

  /** The peer that a validator other than this node is. */
  nameOf(key: PublicKeyHex): PeerName | undefined {
    return this.#names.get(key);
  }

  /** Key of the node that acts for a validator: its own, unless it has given another one its seat. */
  nodeOf(key: PublicKeyHex): PublicKeyHex {
    return this.#seats.get(key)?.node ?? key;
  }

  /** True for the key of a validator, and of a node that acts for one. */
  isNodeOfValidator(node: PublicKeyHex): boolean {
    return this.#keys.includes(node) || [...this.#seats.values()].some((seat) => seat.node === node);
  }

  /** True for a seat that is known as it is. */
  hasSeat(validator: PublicKeyHex, { node, sinceSec }: TakenSeat): boolean {
    const seat = this.#seats.get(validator);
    return seat?.node === node && seat.sinceSec === sinceSec;
  }

  /** True for a seat that would change something: of a validator, later than the last one, on a node that is no validator itself. */
  isSeatNews(validator: PublicKeyHex, { node, sinceSec }: TakenSeat): boolean {
    if (!this.#keys.includes(validator) || (node !== validator && this.#keys.includes(node))) return false;
    const { node: last = validator, sinceSec: lastSec = Number.NEGATIVE_INFINITY } = this.#seats.get(validator) ?? {};
    return sinceSec > lastSec && (node !== validator || last !== validator);
  }

  /** A validator has signed for a node; one that announces itself acts for itself again. False when nothing changed. */
  takeSeat(validator: PublicKeyHex, seat: TakenSeat): boolean {
    if (!this.isSeatNews(validator, seat)) return false;
    for (const [other, { node }] of this.#seats) if (node === seat.node) this.#seats.delete(other);
    this.#seats.set(validator, seat);
    this.#rename();
    return true;
  }

  /** False when nothing changed. */
  replace(keys: readonly PublicKeyHex[]): boolean {
    // Lower-case hex sorts like the bytes that it stands for.
    const sorted = [...keys].sort((a, b) => (a < b ? -1 : Number(a > b)));
    if (sorted.join() === this.#keys.join()) return false;
    this.#keys = sorted;
    for (const [validator, { node }] of this.#seats)
      if (!sorted.includes(validator) || (node !== validator && sorted.includes(node))) this.#seats.delete(validator);
    this.#rename();
    return true;
  }

  #rename(): void {
    const others = this.#keys.filter((key) => key !== this.ownKey);
    this.#others = new Map(others.map((key) => [peerNameOf(this.nodeOf(key)), key]));
    this.#names = new Map([...this.#others].map(([name, key]) => [key, name]));
  }
}
