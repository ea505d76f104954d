// The messenger over its whole life: idle, starting, running in this tab or in another, failed.
import { CodedError } from "#shared/errors/coded-error.ts";
import { keepSame } from "#shared/util/keep-same.ts";
import { ValueStore } from "#shared/util/value-store.ts";
import { COMMANDS, type Commands, type Messenger } from "./messenger.ts";
import { IDLE_SNAPSHOT, type MessengerPhase, type MessengerSettings, type MessengerSnapshot } from "./model/conversation.ts";
import type { MessengerProblem } from "./model/message.ts";
import { problemOf } from "./model/problem.ts";
import { CallSignals } from "./receiving/call-signal.ts";
import { loadMessenger } from "./running/load-messenger.ts";
import type { RunningMessenger } from "./running/running-messenger.ts";
import type { EngineHost } from "./state/engine-context.ts";
import { type LockRequester, type ReleaseLock, tryLock, waitForLock } from "./store/leader-lock.ts";
import { openLocalStore } from "./store/local-store.ts";
import { SerialQueue } from "./store/serial-queue.ts";

/** What the messenger needs. `keyring` is a KeyringClient, `locks` is navigator.locks. */
export interface MessengerDependencies extends EngineHost {
  readonly locks: LockRequester;
  readonly settings?: MessengerSettings;
}

/** Settings until the person chooses others. */
export const DEFAULT_MESSENGER_SETTINGS: MessengerSettings = { sendReadReceipts: true, typing: false };

/** A messenger that does nothing until it is started. It stops by itself when the keyring is locked. */
export function createMessenger(dependencies: MessengerDependencies): Messenger {
  const life = new MessengerLife(dependencies);
  return {
    getSnapshot: life.value.getSnapshot,
    subscribe: life.value.subscribe,
    start: () => life.start(),
    stop: () => life.stop(),
    setSettings: (settings) => life.setSettings(settings),
    subscribeCalls: life.calls.subscribe,
    acknowledgeStore: async () => life.running().acknowledgeStore(),
    openConversation: (id) => life.running().openConversation(id),
    notifyTyping: (id) => life.running().typing.notifyTyping(id),
    ...commandsOf(() => life.running()),
  };
}

/** The commands of whichever run there is when they are called. */
function commandsOf(running: () => RunningMessenger): Commands {
  const commands: Record<string, (...args: readonly unknown[]) => Promise<unknown>> = {};
  for (const [part, names] of Object.entries(COMMANDS))
    for (const name of names)
      commands[name] = async (...args): Promise<unknown> => {
        const owned = running()[part as keyof typeof COMMANDS];
        // Only what is loaded late is waited for: the others begin at once.
        const owner: unknown = owned instanceof Promise ? await owned : owned;
        return (owner as Record<string, (...args: readonly unknown[]) => unknown>)[name]?.(...args);
      };
  return commands as unknown as Commands;
}

class MessengerLife {
  readonly #dependencies: MessengerDependencies;
  readonly value = new ValueStore<MessengerSnapshot>(() => this.#snapshot(), keepSame);
  /** Starting and stopping, one after the other. */
  readonly #steps = new SerialQueue();
  readonly calls = new CallSignals();
  #phase: MessengerPhase = "idle";
  #problem: MessengerProblem | null = null;
  #settings: MessengerSettings;
  #running: RunningMessenger | undefined;
  #release: ReleaseLock | undefined;
  #waiting: AbortController | undefined;
  #stopWatching: (() => void) | undefined;
  /** How many data keys were replaced before the keys of this run. */
  #formerDataKeys = 0;

  constructor(dependencies: MessengerDependencies) {
    this.#dependencies = dependencies;
    this.#settings = dependencies.settings ?? DEFAULT_MESSENGER_SETTINGS;
  }

  running(): RunningMessenger {
    if (this.#running === undefined) throw new CodedError("MESSENGER_UNAVAILABLE", "The messenger is not running in this window");
    return this.#running;
  }

  setSettings(settings: MessengerSettings): void {
    this.#settings = settings;
    this.#running?.followSettings();
  }

  start(): Promise<void> {
    return this.#steps.run(async () => {
      if (this.#phase !== "idle" && this.#phase !== "failed") return;
      this.#enter("starting");
      try {
        await this.#start();
      } catch (error) {
        await this.#shutDown();
        this.#enter("failed", problemOf(error));
        throw error;
      }
    });
  }

  stop(): Promise<void> {
    this.#waiting?.abort();
    return this.#steps.run(async () => {
      await this.#shutDown();
      this.#enter("idle");
    });
  }

  async #start(): Promise<void> {
    const { keyring, locks } = this.#dependencies;
    const name = `parley-messenger-${(await keyring.storeKeys()).name}`;
    this.#stopWatching = keyring.onStatus(({ state, formerDataKeys = 0 }) => {
      if (state === "locked") void this.stop();
      else this.#followKeys(formerDataKeys);
    });
    this.#release = await tryLock(locks, name);
    if (this.#release !== undefined) return this.#run();
    this.#enter("otherTab");
    const waiting = new AbortController();
    this.#waiting = waiting;
    void waitForLock(locks, name, waiting.signal).then(
      (release) => this.#takeOver(waiting, release),
      (error: unknown) => this.#fail(error),
    );
  }

  /** The other tab has ended. */
  #takeOver(waiting: AbortController, release: ReleaseLock | undefined): Promise<void> {
    return this.#steps.run(async () => {
      if (release === undefined || waiting.signal.aborted) return release?.();
      this.#release = release;
      this.#enter("starting");
      await this.#run().catch((error: unknown) => this.#fail(error));
    });
  }

  async #run(): Promise<void> {
    const { keyring, openDatabase } = this.#dependencies;
    const { account, formerDataKeys = 0 } = await keyring.status();
    this.#formerDataKeys = formerDataKeys;
    if (account === null) throw new CodedError("KEYRING_LOCKED", "The keyring is locked: unlock it first");
    const checkpoint = await keyring.storeCheckpoint({ counter: 0 });
    const dayKeys = { keyring, clock: this.#dependencies.clock };
    const keys = await keyring.storeKeys();
    const store = await openLocalStore({ keys, openDatabase, onLost: () => this.#lost(), checkpoint, dayKeys });
    try {
      this.#running = await loadMessenger({
        host: this.#dependencies,
        account,
        store,
        settings: () => this.#settings,
        onChange: () => this.value.invalidate(),
        onCall: this.calls.pass,
      });
    } catch (error) {
      store.close();
      throw error;
    }
    this.#enter("running");
    void this.#running.begin();
    // A change of password while the store was being opened found no run to tell.
    this.#followKeys((await keyring.status()).formerDataKeys ?? 0);
  }

  /** The keyring's keys of the store are others than those that the run began with. */
  #followKeys(formerDataKeys: number): void {
    const running = this.#running;
    if (running === undefined || formerDataKeys === this.#formerDataKeys) return;
    this.#formerDataKeys = formerDataKeys;
    running.renewKeys().catch((error: unknown) => this.#fail(error, running));
  }

  #lost(): void {
    this.#fail(new CodedError("LOCAL_STORE_FAILED", "The message store was closed, or changed by another window: reload this one"));
  }

  /** `run`: the one that cannot go on; nothing happens once that has stopped. */
  #fail(error: unknown, run?: RunningMessenger): void {
    void this.#steps.run(async () => {
      if (run !== undefined && this.#running !== run) return;
      await this.#shutDown();
      this.#enter("failed", problemOf(error));
    });
  }

  async #shutDown(): Promise<void> {
    this.#stopWatching?.();
    this.#waiting?.abort();
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
    this.#release?.();
    this.#stopWatching = undefined;
    this.#waiting = undefined;
    this.#release = undefined;
  }

  #enter(phase: MessengerPhase, problem: MessengerProblem | null = null): void {
    this.#phase = phase;
    this.#problem = problem;
    this.value.invalidate();
  }

  #snapshot(): MessengerSnapshot {
    const rest = this.#running?.snapshot() ?? { ...IDLE_SNAPSHOT, problem: this.#problem, isOnline: this.#dependencies.node.isOnline() };
    return { ...rest, phase: this.#phase };
  }
}
