// The surroundings of a node's duties in memory: a state, virtual time, and what was submitted.
import type { DutyContext } from "#node/duties/duty-context.ts";
import { applyTransaction, finishBlock } from "#node/ledger/execute.ts";
import type { Log } from "#node/observability/log.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import type { CodedError } from "#shared/errors/coded-error.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { firstParams, type NetworkParams } from "#shared/protocol/primitives/params.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { VirtualTime } from "../host/virtual-time.ts";
import { type Actor, blockContext, CHAIN_ID, GENESIS, genesisState, START_MS, validator } from "./ledger-world.ts";

/** One node's view of a chain that commits when the test says so. */
export class DutyWorld {
  readonly state: OverlayStateView;
  readonly time = new VirtualTime();
  readonly clock = this.time.clock(START_MS);
  /** Everything submitted, refused or not. */
  readonly submitted: Transaction[] = [];
  readonly pending = new Map<string, Transaction>();
  readonly lines: string[] = [];
  height = 0;
  refusal: CodedError | undefined;
  readonly #listeners = new Set<() => void>();
  #salt = 0;
  readonly #params: NetworkParams;

  constructor(genesis: Genesis = GENESIS) {
    this.state = genesisState(genesis);
    this.#params = firstParams(genesis.params);
  }

  /** Listeners of commits. */
  get listeners(): number {
    return this.#listeners.size;
  }

  context(node: Actor): DutyContext {
    const line = (_fields: object, message: string): void => void this.lines.push(message);
    const log: Log = { debug: line, info: line, warn: line, error: line, child: () => log };
    return {
      chainId: CHAIN_ID,
      key: { kind: "ed25519", publicKey: node.pub, secret: node.seed },
      state: this.state,
      submit: (tx): Promise<void> => this.#submit(tx),
      isPending: (id): boolean => this.pending.has(id),
      onCommit: (listener): (() => void) => {
        this.#listeners.add(listener);
        return (): void => void this.#listeners.delete(listener);
      },
      clock: this.clock,
      random: (length): Uint8Array => {
        this.#salt += 1;
        return new Uint8Array(length).fill(this.#salt & 255).fill(this.#salt >> 8, 1, 2);
      },
      log,
    };
  }

  /** Commits what is pending as one block of the genesis validator, and tells the listeners. */
  commit(): readonly Receipt[] {
    this.height += 1;
    const context = blockContext({ height: this.height, timeMs: this.clock.nowMs(), proposer: validator.pub, params: this.#params });
    const included = [...this.pending.values()].flatMap((tx) => {
      const outcome = applyTransaction(this.state, tx, context);
      return outcome.isIncluded ? [{ tx, receipt: outcome.receipt }] : [];
    });
    finishBlock(this.state, included, context);
    this.pending.clear();
    for (const listener of [...this.#listeners]) listener();
    return included.map(({ receipt }) => receipt);
  }

  /** Lets time pass, and what waits for promises. */
  async pass(durationMs: number): Promise<void> {
    this.time.advance(durationMs);
    await Promise.resolve();
    await Promise.resolve();
  }

  async #submit(tx: Transaction): Promise<void> {
    this.submitted.push(tx);
    if (this.refusal !== undefined) throw this.refusal;
    this.pending.set(tx.id, tx);
    await Promise.resolve();
  }
}
