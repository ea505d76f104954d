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
  waiting: Parcel[];
  underWay: number;
}

/** What waits for each keeper; it is bounded by what its owner has on the way. */
export class PutBatches {
  readonly #send: SendParcels;
  readonly #outboxes = new Map<PublicKeyHex, Outbox>();
  #turn: NodeJS.Immediate | undefined;

  constructor(send: SendParcels) {
    this.#send = send;
  }

  /** What is added in one turn goes together. */
  add(keeper: PublicKeyHex, parcel: Parcel): void {
    const outbox = this.#outboxes.get(keeper) ?? { waiting: [], underWay: 0 };
    this.#outboxes.set(keeper, outbox);
    outbox.waiting.push(parcel);
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      for (const each of [...this.#outboxes.keys()]) this.#flush(each);
    });
  }

  close(): void {
    clearImmediate(this.#turn);
    this.#outboxes.clear();
  }

  #flush(keeper: PublicKeyHex): void {
    const outbox = this.#outboxes.get(keeper);
    if (outbox === undefined) return;
    while (outbox.waiting.length > 0 && outbox.underWay < REQUESTS_AT_ONCE) {
      const parcels = takeBatch(outbox);
      outbox.underWay += 1;
      void this.#send(keeper, parcels).finally(() => {
        outbox.underWay -= 1;
        if (outbox.waiting.length === 0 && outbox.underWay === 0) this.#outboxes.delete(keeper);
        else this.#flush(keeper);
      });
    }
  }
}

/** The first ones that fit into one request, all to be passed on to the same keepers. */
function takeBatch(outbox: Outbox): readonly Parcel[] {
  const { putItems, putBytes } = NETWORK_LIMITS.mailItems;
  const passOn = outbox.waiting[0]?.passOn.join(" ");
  let bytes = 0;
  let count = 0;
  for (const { item, passOn: others } of outbox.waiting) {
    bytes += keptWireBytes(item);
    if (count >= putItems || (count > 0 && bytes > putBytes) || others.join(" ") !== passOn) break;
    count += 1;
  }
  return outbox.waiting.splice(0, count);
}
