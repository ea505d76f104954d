// Mail that keepers have and the database has not, as the node says that this gateway follows. Lists without a proof are the database's and
// then what the node lists beyond it; those of owners say whether enough keepers were read, and the database has what came of it.
import { LRUCache } from "lru-cache";
import type { MailElsewhere, UnprovenText } from "#node/relay/intake/mail-elsewhere.ts";
import type { MailboxQuery } from "#node/storage/mailbox/mailbox-repository.ts";
import { countMail, knownMail, listMail } from "#node/storage/mailbox/sharing/postgres/mail/mail-reads.ts";
import type { PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { ELSEWHERE_BOXES, ELSEWHERE_FRESH_MS, ELSEWHERE_INTERVAL_MS, ELSEWHERE_KEPT_IDS, ELSEWHERE_PAGES } from "./gateway-limits.ts";
import type { NodeLinks } from "./node-links.ts";
import { type AskedKind, type BoxElsewhere, NodeQuestions } from "./node-questions.ts";

export interface NodesMailDependencies {
  readonly links: Pick<NodeLinks, "request">;
  readonly database: PostgresDatabase;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  readonly onError: (error: unknown, what: string) => void;
}

/** What the node said of a mailbox, and which of these ids the database neither has nor had. */
interface Read extends Omit<BoxElsewhere, "ids"> {
  readonly missing: ReadonlySet<string>;
  readonly atMs: number;
}

interface ListedItem {
  readonly id: string;
  readonly seq: number;
}

/** Positions from which on they are of a node's lists, and not of the database. */
const FIRST_OF_NODES = 2 ** 50;
/** Text between two items. */
const COMMA = 1;

const sizeOf = ({ missing }: Read): number => missing.size + 1;

/** Asks. {@link NodesMail.start} begins, and {@link NodesMail.close} ends it. */
export class NodesMail implements MailElsewhere {
  readonly #dependencies: NodesMailDependencies;
  readonly #questions: NodeQuestions;
  readonly #boxes: LRUCache<string, Read>;
  #isActive = false;
  #hasFailed = false;
  #isClosed = false;
  #cancel: (() => void) | undefined;

  constructor(dependencies: NodesMailDependencies) {
    this.#dependencies = dependencies;
    this.#questions = new NodeQuestions(dependencies);
    this.#boxes = new LRUCache({ max: ELSEWHERE_BOXES, maxSize: ELSEWHERE_KEPT_IDS, sizeCalculation: sizeOf });
  }

  /** Undefined while the database gets all mail that there is. */
  get current(): MailElsewhere | undefined {
    return this.#isActive ? this : undefined;
  }

  /** Resolves after the first look. Never rejects. */
  async start(): Promise<void> {
    try {
      this.#isActive = await this.#questions.isElsewhere();
      this.#hasFailed = false;
    } catch (error) {
      // What was known holds. Once for a time without the other side.
      if (!this.#hasFailed) this.#dependencies.onError(error, "A node does not say whether others have its mail");
      this.#hasFailed = true;
    }
    if (!this.#isClosed) this.#cancel = this.#dependencies.timers.setTimer(ELSEWHERE_INTERVAL_MS, () => void this.start());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#questions.close();
  }

  isAtHand(box: X25519KeyHex): boolean {
    return this.#isFresh("unproven", box);
  }

  read(boxes: readonly X25519KeyHex[]): Promise<ReadonlySet<X25519KeyHex>> {
    return this.#read("unproven", boxes);
  }

  readServed(boxes: readonly X25519KeyHex[]): Promise<ReadonlySet<X25519KeyHex>> {
    return this.#read("served", boxes);
  }

  openingOf(box: X25519KeyHex): { readonly read: "owner" } | undefined {
    return this.#boxes.get(`unproven ${box}`)?.isOwnersAlone === true ? { read: "owner" } : undefined;
  }

  /** Clients of a gateway hide nothing. */
  hide(): void {}

  async count(box: X25519KeyHex): Promise<number> {
    const here = await countMail(this.#dependencies.database, box, true);
    return here + (this.#boxes.get(`unproven ${box}`)?.missing.size ?? 0);
  }

  /**
   * A position of a node's list is none of the database, which was listed before: behind it the node lists all that came since, be it here
   * as well. Where the node does not respond such a position counts as none.
   */
  async listText(query: MailboxQuery): Promise<UnprovenText> {
    const { recipientPub, limit, afterSeq = 0, maxBytes = Number.MAX_SAFE_INTEGER } = query;
    const read = this.#boxes.get(`unproven ${recipientPub}`);
    const isOfNode = afterSeq >= FIRST_OF_NODES && this.#isFresh("unproven", recipientPub);
    const here = isOfNode
      ? { items: "", count: 0, hasMore: false }
      : await listMail(this.#dependencies.database, { ...query, afterSeq: afterSeq >= FIRST_OF_NODES ? 0 : afterSeq });
    const missing = read?.missing ?? new Set<string>();
    const isFull = here.count >= limit || here.items.length + COMMA >= maxBytes;
    if (here.hasMore || isFull || (missing.size === 0 && !isOfNode))
      return { ...here, hasMore: here.hasMore || (missing.size > 0 && isFull), isComplete: true };
    const room = { limit: limit - here.count, maxBytes: maxBytes - here.items.length - COMMA };
    const there = await this.#listThere({ ...query, ...room, afterSeq: isOfNode ? afterSeq : 0 }, isOfNode ? undefined : missing);
    const items = [here.items, there.items].filter((text) => text !== "").join();
    return { ...there, items, count: here.count + there.count };
  }

  /** Of these, or of all that was not deleted here. */
  async #listThere(query: MailboxQuery, missing: ReadonlySet<string> | undefined): Promise<UnprovenText> {
    const { database } = this.#dependencies;
    const page = new ItemTexts(query.limit, query.maxBytes ?? Number.MAX_SAFE_INTEGER);
    let { afterSeq = 0 } = query;
    try {
      for (let pages = 0; pages < ELSEWHERE_PAGES; pages += 1) {
        const { items, hasMore, isComplete } = await this.#page({ ...query, afterSeq, maxBytes: page.room });
        const ids = items.map(({ id }) => id);
        const gone = missing === undefined ? (await knownMail(database, query.recipientPub, ids)).deleted : new Set();
        const isTaken = items.filter(({ id }) => missing?.has(id) !== false && !gone.has(id)).every((item) => page.add(item));
        if (!isTaken || !hasMore || items.length === 0) return { ...page.text, hasMore: hasMore || !isTaken, isComplete };
        afterSeq = items.at(-1)?.seq ?? afterSeq;
      }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
    }
    return { ...page.text, hasMore: true, isComplete: false };
  }

  /** @throws CodedError UNAVAILABLE or UPSTREAM_FAILED */
  async #page({
    recipientPub,
    limit,
    afterSeq = 0,
    sinceSec = -1,
    maxBytes = 0,
  }: MailboxQuery): Promise<{ readonly items: readonly ListedItem[]; readonly hasMore: boolean; readonly isComplete: boolean }> {
    const { method, path } = rawEndpoints.listElsewhere;
    const since = sinceSec < 0 ? "" : `&since=${sinceSec}`;
    const query = `pub=${recipientPub}&after=${afterSeq}&limit=${limit}&bytes=${Math.max(1, maxBytes)}${since}`;
    const { status, text } = await this.#dependencies.links.request(`${path}?${query}`, { method });
    if (status !== 200) throw new CodedError("UPSTREAM_FAILED", `A node does not list what others have (${status})`);
    const { items, has_more, complete } = JSON.parse(text) as {
      readonly items: readonly ListedItem[];
      readonly has_more: boolean;
      readonly complete: boolean;
    };
    return { items, hasMore: has_more, isComplete: complete };
  }

  #isFresh(kind: AskedKind, box: X25519KeyHex): boolean {
    const known = this.#boxes.get(`${kind} ${box}`);
    return known !== undefined && this.#dependencies.clock.monotonicMs() - known.atMs < ELSEWHERE_FRESH_MS;
  }

  async #read(kind: AskedKind, boxes: readonly X25519KeyHex[]): Promise<ReadonlySet<X25519KeyHex>> {
    const unread = new Set<X25519KeyHex>();
    await Promise.all(
      [...new Set(boxes)].map(async (box) => {
        if (!this.#isFresh(kind, box)) await this.#ask(kind, box);
        if (this.#boxes.get(`${kind} ${box}`)?.isRead !== true || !this.#isFresh(kind, box)) unread.add(box);
      }),
    );
    return unread;
  }

  async #ask(kind: AskedKind, box: X25519KeyHex): Promise<void> {
    const answer = await this.#questions.ask(kind, box);
    if (answer === undefined) return;
    const { ids, ...said } = answer;
    const { missing } = await knownMail(this.#dependencies.database, box, ids);
    this.#boxes.set(`${kind} ${box}`, { ...said, missing, atMs: this.#dependencies.clock.monotonicMs() });
  }
}

/** Items of a page, as many as it may have. */
class ItemTexts {
  room: number;
  readonly #limit: number;
  readonly #texts: string[] = [];

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.room = maxBytes;
  }

  get text(): { readonly items: string; readonly count: number } {
    return { items: this.#texts.join(), count: this.#texts.length };
  }

  /** False when it has no room. */
  add(item: ListedItem): boolean {
    const text = JSON.stringify(item);
    if (this.#texts.length >= this.#limit || text.length + COMMA > this.room) return false;
    this.#texts.push(text);
    this.room -= text.length + COMMA;
    return true;
  }
}
