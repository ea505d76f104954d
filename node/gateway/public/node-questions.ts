// Questions to the node about mailboxes that others keep: those of one moment go together, a few requests at once. What was read there for
// owners counts once the database has it.
import { ELSEWHERE_AT_ONCE, type ElsewhereAnswer, NAMED_AT_ONCE } from "#node/api/http/operator/mail-feed-route.ts";
import { feedPosition } from "#node/storage/mailbox/sharing/postgres/mail/network-positions.ts";
import type { PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { ELSEWHERE_REQUESTS, ELSEWHERE_WAIT_MS, ELSEWHERE_WAITING, FEED_LOOK_MS } from "./gateway-limits.ts";
import type { NodeLinks } from "./node-links.ts";

/** Whether the owner of a mailbox reads, or someone who proved nothing. */
export type AskedKind = "served" | "unproven";

/** What a node says of a mailbox. */
export interface BoxElsewhere {
  /** Enough keepers were read. */
  readonly isRead: boolean;
  /** Ids that keepers list and the node's mailbox has not; none of what owners read, which comes into it. */
  readonly ids: readonly string[];
  readonly isOwnersAlone: boolean;
}

export interface NodeQuestionsDependencies {
  readonly links: Pick<NodeLinks, "request">;
  readonly database: PostgresDatabase;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
}

type Resolve = (answer: BoxElsewhere | undefined) => void;

/** Mailboxes of one request, as many as a node takes. */
const MOST: Readonly<Record<AskedKind, number>> = { served: NAMED_AT_ONCE, unproven: ELSEWHERE_AT_ONCE };
const { method, path } = rawEndpoints.readElsewhere;

/** Asks. */
export class NodeQuestions {
  readonly #dependencies: NodeQuestionsDependencies;
  readonly #waiting: Readonly<Record<AskedKind, Map<X25519KeyHex, Resolve[]>>> = { served: new Map(), unproven: new Map() };
  readonly #underWay = { served: 0, unproven: 0 };
  #isClosed = false;

  constructor(dependencies: NodeQuestionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** True while others have mail that the node has not. @throws CodedError UNAVAILABLE or UPSTREAM_FAILED */
  async isElsewhere(): Promise<boolean> {
    return (await this.#request({}))?.elsewhere === true;
  }

  /** Resolves with undefined when it is not known in time. Never rejects. */
  ask(kind: AskedKind, box: X25519KeyHex): Promise<BoxElsewhere | undefined> {
    const { timers } = this.#dependencies;
    const { promise, resolve } = Promise.withResolvers<BoxElsewhere | undefined>();
    const waiting = this.#waiting[kind];
    if (this.#isClosed || waiting.size >= ELSEWHERE_WAITING) return Promise.resolve(undefined);
    const cancel = timers.setTimer(ELSEWHERE_WAIT_MS, () => resolve(undefined));
    waiting.set(box, [...(waiting.get(box) ?? []), resolve]);
    // What is asked in the same turn goes along.
    queueMicrotask(() => this.#next());
    return promise.finally(cancel);
  }

  close(): void {
    this.#isClosed = true;
    for (const waiting of Object.values(this.#waiting)) {
      for (const resolves of waiting.values()) for (const resolve of resolves) resolve(undefined);
      waiting.clear();
    }
  }

  #next(): void {
    for (const kind of ["served", "unproven"] as const)
      while (this.#waiting[kind].size > 0 && this.#underWay[kind] < ELSEWHERE_REQUESTS) {
        const some = new Map([...this.#waiting[kind]].slice(0, MOST[kind]));
        for (const box of some.keys()) this.#waiting[kind].delete(box);
        this.#underWay[kind] += 1;
        void this.#answer(kind, some).finally(() => {
          this.#underWay[kind] -= 1;
          this.#next();
        });
      }
  }

  /** Never rejects. */
  async #answer(kind: AskedKind, asked: ReadonlyMap<X25519KeyHex, readonly Resolve[]>): Promise<void> {
    let answer: ElsewhereAnswer | undefined;
    try {
      const given = await this.#request({ [kind]: [...asked.keys()] });
      if (given !== undefined && (kind !== "served" || (await this.#isStored(given)))) answer = given;
    } catch {
      // It is not known, as where the node says nothing in time.
    }
    const unread = new Set(answer?.unread);
    const boxes = new Map(answer?.boxes.map((box) => [box.pub, box]));
    for (const [box, resolves] of asked) {
      const { ids = [], has_more = false, read = null } = boxes.get(box) ?? {};
      const isRead = !unread.has(box) && !has_more;
      for (const resolve of resolves) resolve(answer && { isRead, ids, isOwnersAlone: read === "owner" });
    }
  }

  /** True once the database has what the node had when it answered. */
  async #isStored({ node, after }: ElsewhereAnswer): Promise<boolean> {
    const { database, clock, timers } = this.#dependencies;
    const endsAtMs = clock.monotonicMs() + ELSEWHERE_WAIT_MS;
    while ((await feedPosition(database, node)) < after) {
      if (this.#isClosed || clock.monotonicMs() >= endsAtMs) return false;
      await new Promise<void>((resolve) => void timers.setTimer(FEED_LOOK_MS, resolve));
    }
    return true;
  }

  /** Undefined for a node of an earlier version. @throws CodedError UNAVAILABLE or UPSTREAM_FAILED */
  async #request(body: Readonly<Record<string, unknown>>): Promise<ElsewhereAnswer | undefined> {
    const headers = { "content-type": "application/json" };
    const { status, text } = await this.#dependencies.links.request(path, { method, body: JSON.stringify(body), headers });
    if (status === 404) return undefined;
    const answer = status === 200 ? answerOf(text) : undefined;
    if (answer === undefined) throw new CodedError("UPSTREAM_FAILED", `A node does not say what others have (${status})`);
    return answer;
  }
}

function answerOf(text: string): ElsewhereAnswer | undefined {
  try {
    const answer = JSON.parse(text) as Partial<ElsewhereAnswer> | null;
    const isAnswer = typeof answer?.node === "string" && Array.isArray(answer.unread) && Array.isArray(answer.boxes);
    return isAnswer && typeof answer?.after === "number" ? (answer as ElsewhereAnswer) : undefined;
  } catch {
    return undefined;
  }
}
