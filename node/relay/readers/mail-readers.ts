// Who reads at this node: its own recipients, which are written down, those of its operator's gateways, and who listens without having proven
// anything.
import { MAX_SERVED_RECIPIENTS, type ServedRecipientRepository } from "#node/storage/mailbox/served-recipient-repository.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Clock } from "#shared/util/clock.ts";
import { type GatewayReader, GatewayReaders } from "./gateway-readers.ts";
import { WatchedBoxes } from "./watched-boxes.ts";

export interface MailReadersDependencies {
  readonly store: { readonly served: Pick<ServedRecipientRepository, "list" | "has" | "see"> };
  readonly clock: Clock;
  /** Others read here now, or listen. */
  readonly onChanged: () => void;
}

/** That a recipient reads here is written down once in this time, s. */
const SEEN_INTERVAL_S = 3_600;

/** Readers. */
export class MailReaders {
  readonly #dependencies: MailReadersDependencies;
  readonly #gateways: GatewayReaders;
  readonly #watched = new WatchedBoxes();
  /** When each recipient was last written down as one that reads here, unix seconds. */
  readonly #seenAtSec = new Map<X25519KeyHex, number>();

  constructor(dependencies: MailReadersDependencies) {
    this.#dependencies = dependencies;
    this.#gateways = new GatewayReaders(dependencies.clock);
  }

  /** Those that read here or at a gateway. */
  get all(): ReadonlySet<X25519KeyHex> {
    const served = this.#dependencies.store.served.list().map(({ recipientPub }) => recipientPub);
    return new Set([...served, ...this.#gateways.list()]);
  }

  /** Boxes to whose mail someone listens. */
  get watched(): Iterable<X25519KeyHex> {
    return this.#watched.boxes;
  }

  has(box: X25519KeyHex): boolean {
    return this.#gateways.has(box) || this.#dependencies.store.served.has(box);
  }

  isWatched(box: X25519KeyHex): boolean {
    return this.#watched.has(box);
  }

  /** A recipient reads here, from a network. */
  see(box: X25519KeyHex, party?: string): void {
    const { store, clock, onChanged } = this.#dependencies;
    const nowSec = Math.floor(clock.nowMs() / 1_000);
    if (nowSec - (this.#seenAtSec.get(box) ?? 0) < SEEN_INTERVAL_S) return;
    if (this.#seenAtSec.size >= MAX_SERVED_RECIPIENTS) this.#seenAtSec.clear();
    this.#seenAtSec.set(box, nowSec);
    store.served.see(box, nowSec, party);
    onChanged();
  }

  /** These are read at gateways of this node's operator, for half an hour from now; gives how many of them there is room for. */
  serveGateway(readers: readonly GatewayReader[]): number {
    const { taken, hasNew } = this.#gateways.name(readers);
    if (hasNew) this.#dependencies.onChanged();
    return taken;
  }

  /** Someone listens to what arrives for a box; returns the way to end that. */
  watch(box: X25519KeyHex): () => void {
    const isNew = !this.#watched.has(box) && !this.has(box);
    const stop = this.#watched.add(box);
    if (isNew) this.#dependencies.onChanged();
    return stop;
  }
}
