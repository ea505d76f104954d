// A sender's queue against executing everything: what it admits and drops without executing is what execution would.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { TransactionContext } from "#node/ledger/context.ts";
import { applyTransaction } from "#node/ledger/execute.ts";
import type { StateView } from "#node/ledger/state-view.ts";
import { type PendingTransaction, pendingTransaction } from "#node/mempool/pending-transaction.ts";
import { SenderQueue } from "#node/mempool/sender-queue.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { alice, blockContext, bob, deviceKey, genesisState, START, START_MS } from "#test/support/worlds/ledger-world.ts";

const HOUR_MS = 3_600_000;
const FIELDS = { id: "", to: "", amount: 0, fee: 1_000, timestamp: START, signature: "" };
const encoded = (payload: object): string => Buffer.from(JSON.stringify(payload)).toString("base64");

const pay = fc.record({ to: fc.constantFrom(alice.pub, bob.pub), amount: fc.integer({ min: 1, max: 4_000_000 }) });
const payment = pay.map(({ to, amount }) => ({ ...FIELDS, type: "TRANSFER" as const, from: alice.pub, to, amount, payload: encoded({}) }));
const link = fc.record({ n: fc.integer({ min: 1, max: 2 }), fee: fc.constantFrom(1_000, 3_000_000) }).map(({ n, fee }) => ({
  ...FIELDS,
  fee,
  type: "LINK_DEVICE" as const,
  from: alice.pub,
  payload: encoded({ x25519_pub_key: deviceKey(n), device_name: "desk" }),
}));
const received = fc
  .integer({ min: 1, max: 3_000_000 })
  .map((amount) => ({ ...FIELDS, type: "TRANSFER" as const, from: bob.pub, to: alice.pub, amount, payload: encoded({}) }));
const submission = fc.oneof({ weight: 8, arbitrary: payment }, { weight: 1, arbitrary: link });
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("submit" as const), tx: submission }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("commit" as const),
      own: fc.integer({ min: 0, max: 2 }),
      others: fc.array(fc.oneof(payment, received, link), { maxLength: 2 }),
      laterMs: fc.constantFrom(0, 0, 0, HOUR_MS + 1, -HOUR_MS - 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), at: fc.nat(5) }) },
);

/** What the queue must agree with: all entries executed in their order, those that fail passed over. */
function executable(
  state: StateView,
  entries: readonly PendingTransaction[],
  context: TransactionContext,
): { readonly kept: readonly PendingTransaction[]; readonly view: OverlayStateView } {
  const view = new OverlayStateView(state);
  const kept = entries.filter(({ tx }) => {
    const trial = new OverlayStateView(view);
    if (!succeeds(trial, tx, context)) return false;
    trial.commitTo(view);
    return true;
  });
  return { kept, view };
}

function succeeds(view: StateView, tx: Transaction, context: TransactionContext): boolean {
  const outcome = applyTransaction(view, tx, context);
  return outcome.isIncluded && outcome.receipt.isOk;
}

/** A queue beside the plain list of what it must hold. */
class Pair {
  readonly #state = genesisState();
  readonly #queue = new SenderQueue(this.#state);
  #entries: readonly PendingTransaction[] = [];
  #height = 0;

  check(): void {
    expect([...this.#queue.entries]).toEqual(this.#entries);
  }

  submit(tx: Transaction): void {
    const context = this.#context();
    const isGood = succeeds(new OverlayStateView(executable(this.#state, this.#entries, context).view), tx, context);
    expect(this.#queue.problemOf(tx, context) === undefined).toBe(isGood);
    if (!isGood) return;
    const entry = pendingTransaction(tx, this.#height, { isUrgent: false, block: context.params });
    this.#queue.append(entry);
    this.#entries = [...this.#entries, entry];
  }

  remove(at: number): void {
    const entry = this.#entries[at];
    if (entry === undefined) return;
    this.#queue.remove(entry);
    this.#entries = this.#entries.filter((other) => other !== entry);
  }

  commit(own: number, others: readonly Transaction[], laterMs: number): void {
    const context = this.#context(laterMs);
    const block = [...this.#entries.slice(0, own).map(({ tx }) => tx), ...others];
    for (const tx of block) applyTransaction(this.#state, tx, blockContext({ height: this.#height }));
    for (const entry of this.#entries.slice(0, own)) this.#queue.remove(entry);
    this.#queue.invalidate();
    const left = this.#entries.slice(own);
    const { kept } = executable(this.#state, left, context);
    expect(this.#queue.removeStale(context)).toEqual(left.filter((entry) => !kept.includes(entry)));
    this.#entries = kept;
  }

  #context(laterMs = 0): TransactionContext {
    this.#height += 1;
    return blockContext({ height: this.#height, timeMs: START_MS + laterMs });
  }
}

it("admits and drops what executing all entries in their order would", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 24 }), (steps) => {
      const pair = new Pair();
      for (const [n, one] of steps.entries()) {
        if (one.kind === "submit") pair.submit({ ...one.tx, id: `tx-${n}` });
        else if (one.kind === "remove") pair.remove(one.at);
        else
          pair.commit(
            one.own,
            one.others.map((tx, i) => ({ ...tx, id: `other-${n}-${i}` })),
            one.laterMs,
          );
        pair.check();
      }
    }),
    { seed: 8, numRuns: 400 },
  );
});
