// Envelopes that are to go to a keeper, gathered into requests: as many as one request takes, a few requests at once.

import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { keptWireBytes } from "#node/network/wire/mail-codec.ts";
import type { KeptEnvelope } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** An envelope for a keeper, which passes it on to others. */
export interface Parcel {
  readonly seq: number;
  readonly item: KeptEnvelope;
  readonly passOn: readonly PublicKeyHex[];
}

/** Sends parcels to a keeper, and does not reject. */
export type SendParcels = (keeper: PublicKeyHex, parcels: readonly Parcel[]) => Promise<void>;

/** Requests of one keeper at once. */
const REQUESTS_AT_ONCE = 3;

interface Outbox {
  /** By number: what is tried again while it waits does not wait twice. */
  readonly waiting: Map<number, Parcel>;
  underWay: number;
}

/** What waits for each keeper: each parcel once, as long as its owner has it on the way. */
export class PutBatches {
  readonly #send: SendParcels;
  readonly #outboxes = new Map<PublicKeyHex, Outbox>();
  #turn: NodeJS.Immediate | undefined;

  constructor(send: SendParcels) {
    this.#send = send;
  }

  /** What is added in one turn goes together. */
  add(keeper: PublicKeyHex, parcel: Parcel): void {
    const outbox = this.#outboxes.get(keeper) ?? { waiting: new Map<number, Parcel>(), underWay: 0 };
    this.#outboxes.set(keeper, outbox);
    outbox.waiting.set(parcel.seq, parcel);
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      for (const each of [...this.#outboxes.keys()]) this.#flush(each);
    });
  }

  /** A parcel is on the way no more: what waits of it for keepers that do not respond is dropped. */
  drop(seq: number): void {
    for (const [keeper, outbox] of this.#outboxes) if (outbox.waiting.delete(seq)) this.#tidy(keeper, outbox);
  }

  /** Parcels that wait, each counted by its keepers. */
  get size(): number {
    return [...this.#outboxes.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  close(): void {
    clearImmediate(this.#turn);
    this.#outboxes.clear();
  }

  #flush(keeper: PublicKeyHex): void {
    const outbox = this.#outboxes.get(keeper);
    if (outbox === undefined) return;
    while (outbox.waiting.size > 0 && outbox.underWay < REQUESTS_AT_ONCE) {
      const parcels = takeBatch(outbox);
      outbox.underWay += 1;
      void this.#send(keeper, parcels).finally(() => {
        outbox.underWay -= 1;
        this.#tidy(keeper, outbox);
        this.#flush(keeper);
      });
    }
  }

  #tidy(keeper: PublicKeyHex, { waiting, underWay }: Outbox): void {
    if (waiting.size === 0 && underWay === 0) this.#outboxes.delete(keeper);
  }
}

/** The first ones that fit into one request, all to be passed on to the same keepers. */
function takeBatch({ waiting }: Outbox): readonly Parcel[] {
  const { putItems, putBytes } = NETWORK_LIMITS.mailItems;
  const taken: Parcel[] = [];
  let bytes = 0;
  for (const parcel of waiting.values()) {
    bytes += keptWireBytes(parcel.item);
    const isAlike = parcel.passOn.join(" ") === (taken[0] ?? parcel).passOn.join(" ");
    if (taken.length >= putItems || (taken.length > 0 && bytes > putBytes) || !isAlike) break;
    taken.push(parcel);
  }
  for (const { seq } of taken) waiting.delete(seq);
  return taken;
}
