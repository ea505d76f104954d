// An envelope on its way to its keepers: whom to ask next, when it is handed over, and when its sender may forget it. A pure machine.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { KeeperLimits } from "../keeper-limits.ts";

/** What a keeper was asked and how that ended last. */
interface Attempt {
  readonly askedAtMs: number;
  /** How often it was asked. */
  readonly count: number;
  readonly isOpen: boolean;
  /** How often it answered without taking it. */
  readonly refusals: number;
}

/** An envelope that waits for receipts. Plain data: the durable queue stores it. */
export interface Delivery {
  readonly id: string;
  readonly bytes: number;
  readonly startedAtMs: number;
  /** Keepers in the order of ranks: those that keep, then those that stand in. */
  readonly ranks: readonly PublicKeyHex[];
  /** How many of the ranks keep. */
  readonly keeping: number;
  readonly attempts: ReadonlyMap<PublicKeyHex, Attempt>;
  readonly receipts: ReadonlySet<PublicKeyHex>;
  readonly isHandedOver: boolean;
  /** True for one that was sent before, to keepers that are not remembered: each counts as asked. */
  readonly wasSent: boolean;
}

/** What an envelope is counted in that is sent once more: one that was refused, or that met silence alone. */
export type DeliveryBudget = "refused" | "silent";

/** What a step asks its caller to do. */
export type DeliveryEffect =
  /** Hand the envelope to a keeper, which passes it on to the others. */
  | { readonly is: "put"; readonly to: PublicKeyHex; readonly passOn: readonly PublicKeyHex[]; readonly budget: DeliveryBudget | null }
  /** Enough keepers have it: its writer may be told so, once. */
  | { readonly is: "handedOver" }
  /** The queue forgets it: all have it, or its time is over. */
  | { readonly is: "forget"; readonly isDelivered: boolean };

/** What came of a step, and the time of the next one unless something happens before. */
export interface DeliveryStep {
  readonly delivery: Delivery;
  readonly effects: readonly DeliveryEffect[];
  readonly nextAtMs: number;
  /** True while it waits for a budget alone. */
  readonly isHeldBack: boolean;
}

/** What happens to a delivery beside time. */
export type DeliveryInput =
  /** A keeper has confirmed it with its signature. */
  | { readonly is: "receipt"; readonly from: PublicKeyHex }
  /** A keeper has answered, and not taken it. */
  | { readonly is: "refusal"; readonly from: PublicKeyHex }
  /** A keeper has not answered, or its connection ended. */
  | { readonly is: "failure"; readonly from: PublicKeyHex }
  /** Another directory counts: other ranks. */
  | { readonly is: "ranks"; readonly ranks: readonly PublicKeyHex[]; readonly keeping: number };

/** What a step needs beside the delivery. */
export interface DeliveryContext {
  readonly nowMs: number;
  readonly limits: KeeperLimits;
  /** False for keepers that have dropped what they confirmed: their receipts do not count. */
  readonly counts: (keeper: PublicKeyHex) => boolean;
  /** False while a budget is used up: nothing is sent once more on it. */
  readonly hasBudget: (budget: DeliveryBudget) => boolean;
}

/** A delivery that begins; {@link stepDelivery} asks its first keepers. */
export function startDelivery(
  { id, bytes, ranks, keeping, wasSent = false }: Pick<Delivery, "id" | "bytes" | "ranks" | "keeping"> & Partial<Pick<Delivery, "wasSent">>,
  nowMs: number,
): Delivery {
  return { id, bytes, startedAtMs: nowMs, ranks, keeping, attempts: new Map(), receipts: new Set(), isHandedOver: false, wasSent };
}

/** The next step, after an input or because its time has come. */
export function stepDelivery(before: Delivery, input: DeliveryInput | undefined, context: DeliveryContext): DeliveryStep {
  const { nowMs, limits } = context;
  let delivery = input === undefined ? before : takeInput(before, input);
  const counted = countedReceipts(delivery, context);
  const effects: DeliveryEffect[] = [];
  if (!delivery.isHandedOver && counted.length >= limits.receiptsToHandOver) {
    delivery = { ...delivery, isHandedOver: true };
    effects.push({ is: "handedOver" });
  }
  const isDelivered = counted.length >= limits.receiptsToForget;
  if (isDelivered || nowMs - delivery.startedAtMs >= limits.keptMs)
    return { delivery, effects: [...effects, { is: "forget", isDelivered }], nextAtMs: Number.POSITIVE_INFINITY, isHeldBack: false };
  const unasked = delivery;
  const asked = chooseKeepers(delivery, counted.length, context);
  const attempts = new Map(delivery.attempts);
  for (const keeper of asked) {
    const { count = 0, refusals = 0 } = attempts.get(keeper) ?? {};
    attempts.set(keeper, { askedAtMs: nowMs, count: count + 1, isOpen: true, refusals });
  }
  delivery = { ...delivery, attempts };
  const isAnswerDue = awaitedOf(delivery, context).length > 0;
  const isHeldBack =
    !isAnswerDue && delivery.ranks.some((keeper) => isLacking(delivery, keeper, context) && isKeeperHeldBack(delivery, keeper, context));
  const puts = putsOf(delivery, asked, { before: unasked, limits });
  return { delivery, effects: [...effects, ...puts], nextAtMs: nextTime(delivery, isHeldBack, context), isHeldBack };
}

function takeInput(delivery: Delivery, input: DeliveryInput): Delivery {
  if (input.is === "ranks") {
    const { ranks, keeping } = input;
    const attempts = new Map([...delivery.attempts].filter(([keeper]) => ranks.includes(keeper)));
    return { ...delivery, ranks, keeping, attempts, receipts: new Set([...delivery.receipts].filter((keeper) => ranks.includes(keeper))) };
  }
  // What comes of others than those that could be asked says nothing.
  if (!delivery.ranks.includes(input.from)) return delivery;
  const attempt = delivery.attempts.get(input.from);
  const attempts = new Map(delivery.attempts);
  const refusals = (attempt?.refusals ?? 0) + (input.is === "refusal" ? 1 : 0);
  if (attempt !== undefined) attempts.set(input.from, { ...attempt, isOpen: false, refusals });
  return input.is === "receipt"
    ? { ...delivery, attempts, receipts: new Set([...delivery.receipts, input.from]) }
    : { ...delivery, attempts };
}

/** Receipts of those that are keepers of the box now, and true. */
function countedReceipts({ receipts, ranks }: Delivery, { counts }: DeliveryContext): readonly PublicKeyHex[] {
  return ranks.filter((keeper) => receipts.has(keeper) && counts(keeper));
}

/** Keepers that were asked a moment ago and have not answered. */
function awaitedOf(delivery: Delivery, context: DeliveryContext): readonly PublicKeyHex[] {
  return delivery.ranks.filter((keeper) => {
    const attempt = delivery.attempts.get(keeper);
    const isPatient = attempt?.isOpen === true && context.nowMs - attempt.askedAtMs < context.limits.answerMs;
    return isPatient && isLacking(delivery, keeper, context);
  });
}

/** Keepers to ask now: as many as receipts are missing and none is awaited, in the order of ranks. */
function chooseKeepers(delivery: Delivery, counted: number, context: DeliveryContext): readonly PublicKeyHex[] {
  const { ranks, receipts, attempts } = delivery;
  const missing = context.limits.receiptsToForget - counted - awaitedOf(delivery, context).length;
  // One that lies about receipts gets the mail as well: others may find it true.
  const liars = ranks.slice(0, delivery.keeping).filter((keeper) => !context.counts(keeper) && !attempts.has(keeper));
  const isFree = (keeper: PublicKeyHex): boolean => isDue(attempts.get(keeper), context) && !isKeeperHeldBack(delivery, keeper, context);
  const free = ranks.filter((keeper) => !receipts.has(keeper) && context.counts(keeper) && isFree(keeper));
  return [...free.slice(0, Math.max(0, missing)), ...liars];
}

function isDue(attempt: Attempt | undefined, context: DeliveryContext): boolean {
  return attempt === undefined || context.nowMs >= dueAtMs(attempt, context.limits);
}

/**
 * What an envelope counts in that goes to a keeper; null for the first time that it goes to one. One that refuses what others take says
 * nothing of the mail: the refusal of a second one makes it such that may never be taken.
 */
function budgetOf({ attempts, wasSent }: Delivery, keeper: PublicKeyHex): DeliveryBudget | null {
  const refusing = [...attempts].filter(([, { refusals }]) => refusals > 0);
  if (refusing.length > 1 || refusing[0]?.[0] === keeper) return "refused";
  return wasSent || attempts.has(keeper) ? "silent" : null;
}

function isLacking({ receipts }: Delivery, keeper: PublicKeyHex, { counts }: DeliveryContext): boolean {
  return !receipts.has(keeper) && counts(keeper);
}

/** True for a keeper whose turn it is, where the budget for that is used up. */
function isKeeperHeldBack(delivery: Delivery, keeper: PublicKeyHex, context: DeliveryContext): boolean {
  const budget = budgetOf(delivery, keeper);
  return budget !== null && isDue(delivery.attempts.get(keeper), context) && !context.hasBudget(budget);
}

/** When a keeper is asked again: one that has refused much later than one that is silent, as it may never take it. */
function dueAtMs({ askedAtMs, count, refusals }: Attempt, limits: KeeperLimits): number {
  const { firstRetryMs, lastRetryMs, firstRefusedMs, lastRefusedMs } = limits;
  const [firstMs, lastMs, tries] = refusals > 0 ? [firstRefusedMs, lastRefusedMs, refusals] : [firstRetryMs, lastRetryMs, count];
  return askedAtMs + Math.min(lastMs, firstMs * 2 ** Math.min(tries - 1, 20));
}

/** Small mail goes to each, large mail to the first, which passes it on; who was asked before gets it itself. */
function putsOf(
  delivery: Delivery,
  asked: readonly PublicKeyHex[],
  { before, limits: { passedOnBytes } }: { readonly before: Delivery; readonly limits: KeeperLimits },
): readonly DeliveryEffect[] {
  const [first, ...others] = asked;
  const isFirstTime = asked.every((keeper) => delivery.attempts.get(keeper)?.count === 1) && asked.length === delivery.attempts.size;
  if (first !== undefined && delivery.bytes > passedOnBytes && isFirstTime)
    return [{ is: "put", to: first, passOn: others, budget: budgetOf(before, first) }];
  return asked.map((to) => ({ is: "put", to, passOn: [], budget: budgetOf(before, to) }));
}

function nextTime(delivery: Delivery, isHeldBack: boolean, context: DeliveryContext): number {
  const { ranks, receipts, attempts, startedAtMs } = delivery;
  const { limits, counts, nowMs } = context;
  const times = ranks
    .filter((keeper) => !receipts.has(keeper) && counts(keeper))
    .flatMap((keeper) => {
      const attempt = attempts.get(keeper);
      if (attempt === undefined) return [];
      return attempt.isOpen ? [attempt.askedAtMs + limits.answerMs, dueAtMs(attempt, limits)] : [dueAtMs(attempt, limits)];
    });
  return Math.min(
    startedAtMs + limits.keptMs,
    ...(isHeldBack ? [nowMs + limits.budgetMs] : []),
    ...times.filter((timeMs) => timeMs > nowMs),
  );
}
