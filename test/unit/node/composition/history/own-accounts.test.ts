// Whose history stays is stored before anything is dropped, and unknown again where it cannot be.
import { describe, expect, it } from "vitest";
import { NAMING_RETRY_MS, namedAccounts, OwnAccounts } from "#node/composition/history/own-accounts.ts";
import { createLog } from "#node/observability/log.ts";

const [A, B] = ["ab".repeat(32), "0c".repeat(32)];

function world(): {
  readonly named: ReturnType<typeof namedAccounts>;
  readonly own: OwnAccounts;
  readonly stored: string[][];
  readonly timers: { readonly delayMs: number; readonly callback: () => void }[];
  readonly changes: () => number;
  fails: boolean;
} {
  const named = namedAccounts();
  const [stored, timers] = [[] as string[][], [] as { delayMs: number; callback: () => void }[]];
  let changes = 0;
  const state = { fails: false };
  const own = new OwnAccounts({
    named,
    store: {
      add: (accounts): void => {
        if (state.fails) throw new Error("full");
        stored.push([...accounts]);
      },
    },
    timers: {
      setTimer: (delayMs, callback) => {
        const timer = { delayMs, callback };
        timers.push(timer);
        return (): void => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1));
      },
    },
    log: createLog("text", { write: () => undefined }),
    onChange: (): void => {
      changes += 1;
    },
  });
  return Object.assign(state, { named, own, stored, timers, changes: () => changes });
}

describe("accounts that the starting program names", () => {
  it("are unknown until they were named, and stored then", () => {
    const { named, own, stored, changes } = world();
    expect(own.isKnown).toBe(false);
    for (const message of [null, 1, "own", {}, { type: "own" }, { type: "own", accounts: A }, { type: "else", accounts: [A] }])
      named.receive(message);
    expect([own.isKnown, changes()]).toEqual([false, 0]);
    named.receive({ type: "own", accounts: [A.toUpperCase(), B] });
    expect([own.isKnown, stored, changes()]).toEqual([true, [[A, B]], 1]);
    // A start after another one in the same process finds them.
    expect(named.current()).toEqual([A, B]);
  });

  it("are unknown again without any, or with one that is none", () => {
    const { named, own } = world();
    for (const accounts of [[], [A, "pl1"], [A, 7], ["zz".repeat(32)]]) {
      named.receive({ type: "own", accounts: [A] });
      expect(own.isKnown).toBe(true);
      named.receive({ type: "own", accounts });
      expect(own.isKnown).toBe(false);
    }
  });

  it("are stored once it is possible where they could not be, and nothing is dropped meanwhile", () => {
    const state = world();
    const { named, own, timers } = state;
    named.receive({ type: "own", accounts: [A] });
    state.fails = true;
    named.receive({ type: "own", accounts: [A, B] });
    expect(own.isKnown).toBe(false);
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([NAMING_RETRY_MS]);
    state.fails = false;
    timers[0]?.callback();
    expect(own.isKnown).toBe(true);
    expect(state.stored.at(-1)).toEqual([A, B]);
    own.stop();
    named.receive({ type: "own", accounts: [] });
    expect(own.isKnown).toBe(true);
  });
});
