// The way to the keyring: its port "apps". The keyring's process may end and come back with another port at any time.

import type { AppsApi, AppsEvent } from "#shared/apps/messages/apps-api.ts";
import { createMethodClient, type MethodClient } from "#shared/apps/messages/method-port.ts";
import { APPS_METHODS } from "#shared/apps/messages/port-shapes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import type { Timers } from "#shared/util/clock.ts";
import type { AppsKeyring } from "./services.ts";

type Client = MethodClient<AppsApi, AppsEvent>;
type AnyMethods = Readonly<Record<string, (input: unknown) => Promise<unknown>>>;

/** The link while the gateway runs. */
export class KeyringLink implements AppsKeyring {
  readonly api: AppsApi;
  readonly #timers: Timers;
  readonly #answerTimeoutMs: number;
  readonly #listeners = new Set<(event: AppsEvent) => void>();
  #client: Client | undefined;

  constructor(timers: Timers, answerTimeoutMs: number) {
    this.#timers = timers;
    this.#answerTimeoutMs = answerTimeoutMs;
    const methods = Object.keys(APPS_METHODS).map(
      (method) => [method, (input?: unknown): Promise<unknown> => this.#call(method, input)] as const,
    );
    this.api = Object.fromEntries(methods) as unknown as AppsApi;
  }

  /** The keyring is at this port from now on; undefined: it is not there. */
  set(port: KeyringPort | undefined): void {
    this.#client?.close();
    this.#client = undefined;
    if (port === undefined) return;
    const client = createMethodClient<AppsApi, AppsEvent>(port, APPS_METHODS);
    this.#client = client;
    client.onEvent((event) => {
      for (const listener of [...this.#listeners]) listener(event);
    });
    // What came of its state is what an unlocking in between would have reported.
    void this.api.state().then(
      (state) => {
        for (const listener of [...this.#listeners]) listener({ event: "state", state });
      },
      () => undefined,
    );
  }

  onEvent(listener: (event: AppsEvent) => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  /** A process that ended says nothing: its answers are not waited for without end. What it did is found under the order's key. */
  async #call(method: string, input: unknown): Promise<unknown> {
    if (this.#client === undefined) throw away();
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = this.#timers.setTimer(this.#answerTimeoutMs, () => reject(away()));
    const { api } = this.#client;
    try {
      return await Promise.race([(api as unknown as AnyMethods)[method]?.(input), promise]);
    } finally {
      cancel();
    }
  }
}

function away(): CodedError {
  return new CodedError("UNAVAILABLE", "The keyring of Parley does not respond: try again in a moment");
}
