// Sends in pairs what the outbox does not: round after round while something is due, and again when the next time comes.
import pLimit from "p-limit";
import { encodeContent } from "#shared/content/content-codec.ts";
import type { SealedEnvelope, SealRequest } from "#shared/keyring/keyring-api.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { ownerName } from "#shared/protocol/pairs/card-id.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import { Change } from "../changes/change.ts";
import { drawDueCards } from "../changes/pairs/draw-cards.ts";
import { type HandedContent, noteHanded } from "../changes/pairs/leave-contents.ts";
import { isFinal, problemOf } from "../model/problem.ts";
import { newId } from "../model/records.ts";
import type { PairRecord } from "../pairs/pair-record.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { handIn } from "./hand-in.ts";
import { fieldsOf, type PublicCardsOfOwners, pairRequest, publicRequest } from "./pair-request.ts";
import { departPair, type PairDeparture, wantsPublic, workOf } from "./pair-work.ts";

/** Pairs of one round. */
const PAIRS_AT_ONCE = 16;
/** Envelopes that are handed in at the same time, in few requests. */
const PARALLEL = 16;
/** Pairs are looked through at least so often. */
const LOOK_MS = 600_000;
/** After a failure, doubled up to the above. */
const FIRST_PAUSE_MS = 15_000;

interface SealedDeparture {
  readonly departure: PairDeparture;
  readonly envelope: SealedEnvelope;
  readonly request: SealRequest;
  readonly cardId: string | undefined;
}

/** Watches the pairs of one run. */
export class PairSender {
  readonly #context: EngineContext;
  readonly #isReading: () => boolean;
  #isRunning = false;
  #isAgain = false;
  #isStopped = false;
  #failures = 0;
  #rounds = 0;
  /** In which round a pair was listed last: those that cannot get rid of what is due keep no other one from it. */
  readonly #listedIn = new Map<X25519KeyHex, number>();
  #cancelTimer: CancelTimer | undefined;

  /** `isReading`: mail is being read, so that an acknowledgement would lack what is still to be stored. */
  constructor(context: EngineContext, isReading: () => boolean) {
    this.#context = context;
    this.#isReading = isReading;
  }

  /** Sends what is due and sets the next time. Call when something has come, and when the node is back. */
  check(): void {
    if (this.#isStopped) return;
    if (this.#isRunning) {
      this.#isAgain = true;
      return;
    }
    this.#isRunning = true;
    this.#cancelTimer?.();
    void this.#run();
  }

  /** The node has come back: what failed is tried at once. */
  retryNow(): void {
    this.#failures = 0;
    this.check();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  async #run(): Promise<void> {
    try {
      do {
        this.#isAgain = false;
        while (this.#mayBegin() && (await this.#round()));
      } while (this.#isAgain && !this.#isStopped);
    } catch (error) {
      this.#failures += 1;
      const problem = problemOf(error);
      if (problem.code === "LOCAL_STORE_FAILED" || problem.code === "INTERNAL") this.#context.report(problem);
    }
    this.#isRunning = false;
    if (!this.#isStopped) this.#cancelTimer = this.#context.timers.setTimer(this.#delayMs(), () => this.check());
  }

  #mayBegin(): boolean {
    return !this.#isStopped && !this.#isReading() && this.#context.node.isOnline();
  }

  /** Until a mark is due, at most until pairs are looked through anyway. */
  #delayMs(): number {
    const { pairs, clock } = this.#context;
    if (this.#failures > 0) return Math.min(LOOK_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    const nowMs = clock.nowMs();
    // What was due before and did not leave cannot leave now.
    const dueMs = [pairs.gaps.nextMs, ...pairs.all.map(({ state }) => state.markAtMs ?? 0)];
    return Math.min(LOOK_MS, ...dueMs.map((atMs) => atMs - nowMs).filter((ms) => ms > 0));
  }

  /** One round; true when something was taken, so that there may be more. */
  async #round(): Promise<boolean> {
    const { writer, newestBlock } = this.#context;
    await newestBlock.refresh();
    const records = await this.#listed();
    if (records.length === 0) return false;
    const cards = await this.#publicCardsFor(records);
    const departures = await writer.run(() => this.#depart(records, cards));
    const sealed = await this.#seal(departures).catch(async (error: unknown) => {
      // The keyring has been locked meanwhile: nothing of it left.
      await this.#note(departures.map(refusedOf));
      throw error;
    });
    const limit = pLimit(PARALLEL);
    const handed = await Promise.all(sealed.map((one) => limit(() => this.#hand(one))));
    // What has no room under a public card goes to the pair's.
    const unsealed = departures
      .filter((departure) => !sealed.some((one) => one.departure === departure))
      .map((departure) => ({ ...refusedOf(departure), isPublic: false }));
    await this.#note([...handed.filter((one) => one !== undefined), ...unsealed]);
    const isSomeTaken = handed.some((one) => one === undefined || one.isTaken);
    this.#failures = isSomeTaken || departures.length === 0 ? 0 : this.#failures + 1;
    return isSomeTaken;
  }

  #note(handed: readonly HandedContent[]): Promise<void> {
    return this.#context.writer.run(async () => {
      const change = new Change(this.#context);
      noteHanded(this.#context, change, handed);
      await change.commit();
    });
  }

  /** Pairs with something due whose device is still listed, those first that were not for the longest time. */
  async #listed(): Promise<readonly PairRecord[]> {
    const { pairs, days, directory } = this.#context;
    const now = days.now();
    const listed: PairRecord[] = [];
    const roundOf = ({ device }: PairRecord): number => this.#listedIn.get(device) ?? 0;
    for (const record of pairs.all.toSorted((a, b) => roundOf(a) - roundOf(b))) {
      if (listed.length === PAIRS_AT_ONCE) break;
      if (workOf(this.#context, record, now) === undefined) continue;
      const keys = await directory.get(record.peer).catch(() => undefined);
      if (keys === undefined) continue;
      if (keys.devices.includes(record.device) || keys.identityKey === record.device) listed.push(record);
    }
    this.#rounds += 1;
    for (const { device } of listed) this.#listedIn.set(device, this.#rounds);
    for (const device of this.#listedIn.keys()) if (pairs.get(device) === undefined) this.#listedIn.delete(device);
    return listed;
  }

  /** Of devices for which something of what is due is better sealed to a public card, as all that is written in version 1. */
  async #publicCardsFor(records: readonly PairRecord[]): Promise<PublicCardsOfOwners> {
    const { days, publicCards } = this.#context;
    const now = days.now();
    const owners = records.flatMap((record) => {
      const work = workOf(this.#context, record, now);
      if (work === undefined || !(work.isIntroductionDue || wantsPublic(record, work, now))) return [];
      // A card is shown so where others may be gone: the public one that came before, too.
      return [{ person: record.peer, device: record.device, isFresh: work.isIntroductionDue }];
    });
    return owners.length === 0 ? new Map() : await (await publicCards()).of(owners);
  }

  /** Everything is stored before it leaves. */
  async #depart(records: readonly PairRecord[], cards: PublicCardsOfOwners): Promise<readonly PairDeparture[]> {
    const change = new Change(this.#context);
    const current = records.flatMap(({ device }) => change.pair(device) ?? []);
    await drawDueCards(this.#context, change, current, this.#context.days.now());
    const departures: PairDeparture[] = [];
    for (const { device, peer: person } of current)
      departures.push(...(await departPair(this.#context, change, device, cards.get(ownerName({ person, device })))));
    if (departures.length > 0) await change.commit();
    return departures;
  }

  /** What can be sealed. Of what cannot, the keyring does not say which it is. */
  async #seal(departures: readonly PairDeparture[]): Promise<readonly SealedDeparture[]> {
    const prepared = departures.map((departure) => ({ departure, ...this.#requestOf(departure) }));
    const seal = async (some: typeof prepared): Promise<readonly SealedDeparture[]> => {
      try {
        const envelopes = await this.#context.keyring.seal({ requests: some.map(({ request }) => request) });
        return some.flatMap(({ departure, request, cardId }, at) => {
          const envelope = envelopes[at];
          return envelope === undefined ? [] : [{ departure, envelope, request, cardId }];
        });
      } catch (error) {
        if (!isFinal(error)) throw error;
        return some.length === 1 ? [] : (await Promise.all(some.map((one) => seal([one])))).flat();
      }
    };
    return prepared.length === 0 ? [] : seal(prepared);
  }

  #requestOf({ device, part, leaving, introduction, publicCard }: PairDeparture): {
    readonly request: SealRequest;
    readonly cardId: string | undefined;
  } {
    if (leaving !== undefined) return pairRequest(this.#context, part, device, leaving);
    const { account, node, random, epochs, clock } = this.#context;
    const cardId = introduction?.card.id;
    const content = {
      ...{ id: newId(random), ...fieldsOf(this.#context, part) },
      ...(epochs.own === null ? {} : { card: epochs.own }),
      ...(introduction === undefined ? {} : { pairCard: introduction }),
    };
    if (publicCard !== undefined)
      return { request: publicRequest(this.#context, { device, card: publicCard, to: part.to }, content), cardId };
    const bound = { from: account.masterPub, fromDevice: account.devicePub, to: part.to, chainId: node.chainId };
    const plaintext = encodeContent({ ...bound, ...content });
    // Its short-lived key may be gone as well: there are no words in it.
    const request = { plaintext, recipients: [device], sentAt: Math.floor(clock.nowMs() / 1000), hidesSender: true };
    return { request, cardId };
  }

  /** What became of an envelope; undefined where the mailbox refuses it for good, which is like being lost. */
  async #hand({ departure, envelope, request, cardId }: SealedDeparture): Promise<HandedContent | undefined> {
    const of = { ...refusedOf(departure), cardId };
    return handIn(this.#context, { envelope, request }).then(
      () => ({ ...of, isTaken: true }),
      (error: unknown) => (isFinal(error) ? undefined : of),
    );
  }
}

function refusedOf({ device, leaving, introduction }: PairDeparture): HandedContent {
  const { position, isPublic } = leaving ?? {};
  return { device, isTaken: false, position, cardId: undefined, isIntroduction: introduction !== undefined, isPublic: isPublic === true };
}
