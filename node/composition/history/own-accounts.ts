// Accounts of the person who runs this node, as the program that started it names them: they are stored before any block is dropped, and
// while they are not known nothing is.

import type { Log } from "#node/observability/log.ts";
import type { OwnRepository } from "#node/storage/history/records/own-repository.ts";
import { isHex } from "#shared/util/bytes.ts";
import type { Timers } from "#shared/util/clock.ts";

/** Accounts of the person, as they were named last. */
export interface NamedAccounts {
  /** Public keys; undefined until they were named. */
  current(): readonly string[] | undefined;
  /** Calls back when they were named; returns the way to stop that. */
  onNamed(listener: () => void): () => void;
}

/** Pause before accounts that could not be stored, as on a full disk, are stored again, ms. */
export const NAMING_RETRY_MS = 60_000;

export interface OwnAccountsDependencies {
  readonly store: Pick<OwnRepository, "add">;
  readonly named: NamedAccounts;
  readonly timers: Timers;
  readonly log: Log;
  /** What is known changed. */
  readonly onChange: () => void;
}

/** Stores the accounts of a program that named them. */
export class OwnAccounts {
  readonly #dependencies: OwnAccountsDependencies;
  readonly #stop: () => void;
  #isKnown = false;
  #cancelRetry = (): void => undefined;

  constructor(dependencies: OwnAccountsDependencies) {
    this.#dependencies = dependencies;
    this.#stop = dependencies.named.onNamed(() => this.#store());
    this.#store();
  }

  /** True when all accounts that were named last are stored, and there are some. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  stop(): void {
    this.#stop();
    this.#cancelRetry();
  }

  #store(): void {
    const { store, named, timers, log, onChange } = this.#dependencies;
    const accounts = named.current();
    if (accounts === undefined) return;
    this.#cancelRetry();
    // Without an account, or after a vault was damaged, the person may still bring one along.
    this.#isKnown = false;
    try {
      store.add(accounts);
      this.#isKnown = accounts.length > 0;
    } catch (error) {
      log.error({ error: String(error), retry_ms: NAMING_RETRY_MS }, "The node drops no blocks: whose history stays could not be stored");
      this.#cancelRetry = timers.setTimer(NAMING_RETRY_MS, () => this.#store());
    }
    onChange();
  }
}

/** Accounts of messages `{ type: "own", accounts }`; another one is none of its business. */
export function namedAccounts(): NamedAccounts & { receive(message: unknown): void } {
  const listeners = new Set<() => void>();
  let accounts: readonly string[] | undefined;
  return {
    current: () => accounts,
    onNamed: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    receive: (message): void => {
      if (typeof message !== "object" || message === null || !("type" in message) || message.type !== "own") return;
      if (!("accounts" in message) || !Array.isArray(message.accounts)) return;
      // One that is none makes all of them unknown: nothing is dropped on a guess.
      const isGood = message.accounts.every((account) => typeof account === "string" && isHex(account, 32));
      accounts = isGood ? message.accounts.map((account: string) => account.toLowerCase()) : [];
      for (const listener of listeners) listener();
    },
  };
}
