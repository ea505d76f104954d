// The validators of the next height, as keys and as peers.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { peerNameOf } from "../peer-name.ts";
import type { PeerName } from "../peer-network.ts";

/** Who the validators are; replaced as a whole. */
export class ValidatorDirectory {
  readonly #ownKey: PublicKeyHex;
  #keys: readonly PublicKeyHex[] = [];
  #others = new Map<PeerName, PublicKeyHex>();
  #names = new Map<PublicKeyHex, PeerName>();

  constructor(ownKey: PublicKeyHex) {
    this.#ownKey = ownKey;
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
    return this.#keys.includes(this.#ownKey);
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

  /** False when nothing changed. */
  replace(keys: readonly PublicKeyHex[]): boolean {
    // Lower-case hex sorts like the bytes that it stands for.
    const sorted = [...keys].sort((a, b) => (a < b ? -1 : Number(a > b)));
    if (sorted.join() === this.#keys.join()) return false;
    this.#keys = sorted;
    this.#others = new Map(sorted.filter((key) => key !== this.#ownKey).map((key) => [peerNameOf(key), key]));
    this.#names = new Map([...this.#others].map(([name, key]) => [key, name]));
    return true;
  }
}
