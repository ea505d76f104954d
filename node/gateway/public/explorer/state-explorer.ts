// Search, contracts, tokens and NFTs from the database, where it has the whole state after the newest block of the node.
import { createChainQueries } from "#node/explorer/queries/read-queries.ts";
import type { ReadQueries } from "#node/queries/read-queries.ts";
import { STATE_AT_ONCE, STATE_ROUNDS } from "../gateway-limits.ts";
import { AskedChain, AskedRows, type ExplorerSources, MissingError } from "./asked-chain.ts";
import { ElsewhereError } from "./elsewhere-error.ts";
import type { GuardedReads, Stated } from "./guarded-reads.ts";
import { Turns } from "./turns.ts";

/** Queries that it answers. */
export type StateQueries = Pick<ReadQueries, "contracts" | "search">;

export interface StateExplorerDependencies {
  readonly sources: ExplorerSources;
  readonly guard: GuardedReads;
}

type Query<T> = (queries: StateQueries) => T | PromiseLike<T>;

/** Answers each query with what the node would say, or throws {@link ElsewhereError}. */
export class StateExplorer implements StateQueries {
  readonly contracts: StateQueries["contracts"] = {
    wellKnown: () => this.#run(({ contracts }) => contracts.wellKnown()),
    list: (page) => this.#run(({ contracts }) => contracts.list(page)),
    contract: (id) => this.#run(({ contracts }) => contracts.contract(id)),
    value: (id, key) => this.#run(({ contracts }) => contracts.value(id, key)),
    logs: (id, query) => this.#run(({ contracts }) => contracts.logs(id, query)),
    tokens: (page) => this.#run(({ contracts }) => contracts.tokens(page)),
    token: (id) => this.#run(({ contracts }) => contracts.token(id)),
    tokenBalance: (id, key) => this.#run(({ contracts }) => contracts.tokenBalance(id, key)),
    tokensOf: (owner, page) => this.#run(({ contracts }) => contracts.tokensOf(owner, page)),
    nfts: (page) => this.#run(({ contracts }) => contracts.nfts(page)),
    nft: (id) => this.#run(({ contracts }) => contracts.nft(id)),
    nftsOf: (owner, page) => this.#run(({ contracts }) => contracts.nftsOf(owner, page)),
  };
  readonly search: StateQueries["search"] = {
    search: (text, limit) => this.#run(({ search }) => search.search(text, limit)),
  };
  readonly #dependencies: StateExplorerDependencies;
  readonly #chain = new AskedChain();
  readonly #queries = createChainQueries(this.#chain);
  readonly #turns = new Turns(STATE_AT_ONCE);

  constructor(dependencies: StateExplorerDependencies) {
    this.#dependencies = dependencies;
  }

  #run<T>(query: Query<T>): Promise<T> {
    const { guard } = this.#dependencies;
    return guard.run(() =>
      this.#turns.run(async () => {
        // It failed while this one waited: those behind do not each find that out.
        if (guard.isPaused) throw new ElsewhereError();
        return await this.#attempt(query);
      }),
    );
  }

  async #attempt<T>(query: Query<T>): Promise<T> {
    let rows = new AskedRows(this.#dependencies.sources);
    for (let round = 0; round < STATE_ROUNDS; round += 1) {
      const outcome = this.#once(rows, query);
      if (rows.isComplete) {
        if ("error" in outcome) throw outcome.error;
        if (rows.state !== undefined) return outcome.value;
      }
      // A block has come in between: what is known of the state before is no part of the answer.
      if (!this.#isOneMoment(rows, await rows.fetch())) rows = new AskedRows(this.#dependencies.sources);
    }
    throw new ElsewhereError();
  }

  /** Queries over what is known give their answer at once. What fails for want of something else is no answer yet. */
  #once<T>(rows: AskedRows, query: Query<T>): { readonly value: T } | { readonly error: unknown } {
    try {
      return { value: this.#chain.with(rows, () => query(this.#queries)) as T };
    } catch (error) {
      if (error instanceof ElsewhereError || (rows.isComplete && error instanceof MissingError)) throw error;
      return { error };
    }
  }

  /** False where a read saw another block than those before it. @throws ElsewhereError where it cannot say what the node would */
  #isOneMoment(rows: AskedRows, found: readonly Stated[]): boolean {
    const { guard } = this.#dependencies;
    for (const each of found) {
      const { state } = guard.held(each);
      const { height, recordsHeight, restHeight, contractsHeight, isWhole } = state;
      guard.assertCurrent(state);
      if (!isWhole || [recordsHeight, restHeight, contractsHeight].some((of) => of !== height)) throw new ElsewhereError();
      if (rows.state !== undefined && rows.state.height !== height) return false;
      rows.state = state;
    }
    return true;
  }
}
