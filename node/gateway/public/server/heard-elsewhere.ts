// Pushes of mail that keepers have and the database lacks, for those who listen here without a proof: a node that listens for them at keepers
// says what came. What comes into the database as well is pushed from there alone.
import type { MailElsewhere } from "#node/relay/intake/mail-elsewhere.ts";
import type { ArrivedEnvelope } from "#node/relay/intake/mail-service.ts";
import { WatchedBoxes } from "#node/relay/readers/watched-boxes.ts";
import { knownMail } from "#node/storage/mailbox/sharing/postgres/mail/mail-reads.ts";
import type { PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import { ELSEWHERE_INTERVAL_MS, HEARD_BOXES, HEARD_PAUSE_MS, HEARD_WAITING } from "../gateway-limits.ts";
import type { NodeTopics } from "./node-topics.ts";

export interface HeardElsewhereDependencies {
  readonly topics: Pick<NodeTopics, "follow" | "leave" | "close">;
  readonly database: PostgresDatabase;
  readonly timers: Timers;
  /** Mail that nodes have elsewhere; undefined while the database gets all that there is. */
  readonly elsewhere: () => Pick<MailElsewhere, "read" | "isAtHand" | "openingOf"> | undefined;
  /** Whether the node reads a mailbox as that of its own reader: then the database gets all of it. */
  readonly isNamed: (box: X25519KeyHex) => boolean;
}

/** Listens for those who listen here. */
export class HeardElsewhere {
  /** Tells those who listen; set once there is someone to tell. */
  tell: (envelope: ArrivedEnvelope) => void = () => undefined;
  readonly #dependencies: HeardElsewhereDependencies;
  readonly #boxes = new WatchedBoxes();
  readonly #followed = new Set<X25519KeyHex>();
  /** What a node said of, until it was looked whether the database has it. */
  readonly #heard = new Map<X25519KeyHex, Map<string, ArrivedEnvelope>>();
  #waiting = 0;
  #cancel: CancelTimer;
  #isClosed = false;

  constructor(dependencies: HeardElsewhereDependencies) {
    this.#dependencies = dependencies;
    this.#cancel = this.#schedule();
  }

  /** Someone listens to a mailbox here; returns the way to end that. */
  watch(box: X25519KeyHex): () => void {
    const stop = this.#boxes.add(box);
    this.#adjust(box);
    return (): void => {
      stop();
      this.#adjust(box);
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#dependencies.topics.close();
  }

  /** Keepers get the mail, or give it up, while someone listens; readers come to be named. */
  #schedule(): CancelTimer {
    return this.#dependencies.timers.setTimer(ELSEWHERE_INTERVAL_MS, () => {
      for (const box of new Set([...this.#followed, ...this.#boxes.boxes])) this.#adjust(box);
      this.#cancel = this.#schedule();
    });
  }

  #adjust(box: X25519KeyHex): void {
    const { topics, elsewhere, isNamed } = this.#dependencies;
    const isWanted = this.#boxes.has(box) && elsewhere() !== undefined && !isNamed(box);
    const topic = `inbox:${box}` as const;
    if (isWanted === this.#followed.has(box) || this.#isClosed) return;
    if (!isWanted) {
      this.#followed.delete(box);
      topics.leave(topic);
    } else if (this.#followed.size < HEARD_BOXES) {
      this.#followed.add(box);
      topics.follow(topic, (push) => this.#hear(box, push));
    }
  }

  #hear(box: X25519KeyHex, { id, recipient_pub, sender_pub, sender_ed25519_pub, fee_ut, sent_at }: ArrivedEnvelope): void {
    if (recipient_pub !== box) return;
    const envelope = { id, recipient_pub, sender_pub, sender_ed25519_pub, fee_ut, sent_at };
    const heard = this.#heard.get(box) ?? new Map<string, ArrivedEnvelope>();
    if (heard.has(id)) return;
    // They find it when they list.
    if (this.#waiting >= HEARD_WAITING) return;
    this.#waiting += 1;
    heard.set(id, envelope);
    if (heard.size > 1) return;
    this.#heard.set(box, heard);
    this.#dependencies.timers.setTimer(HEARD_PAUSE_MS, () => void this.#look(box, heard));
  }

  /** Never rejects. */
  async #look(box: X25519KeyHex, heard: ReadonlyMap<string, ArrivedEnvelope>): Promise<void> {
    const { database } = this.#dependencies;
    this.#heard.delete(box);
    this.#waiting -= heard.size;
    if (await this.#isOwnersAlone(box)) return;
    const ids = [...heard.keys()];
    // A database that is away holds up no push.
    const missing = await knownMail(database, box, ids).then(
      (known) => known.missing,
      () => new Set(ids),
    );
    for (const [id, envelope] of heard) if (missing.has(id) && !this.#isClosed) this.tell(envelope);
  }

  /** To its operator's gateways a node tells of boxes that their owners alone read: these are not to hear it who prove nothing. */
  async #isOwnersAlone(box: X25519KeyHex): Promise<boolean> {
    const elsewhere = this.#dependencies.elsewhere();
    try {
      await elsewhere?.read([box]);
    } catch {
      // What was read is compared with the database, which is away: what was known before may still hold.
    }
    return elsewhere?.isAtHand(box) !== true || elsewhere.openingOf(box)?.read === "owner";
  }
}
