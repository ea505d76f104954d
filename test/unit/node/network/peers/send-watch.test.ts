// Peers that do not read.
import { describe, expect, it } from "vitest";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { SendWatch } from "#node/network/peers/send-watch.ts";

const { stallMs, connectionBytes, backlogBytes } = NETWORK_LIMITS.served;

interface Played {
  readonly name: string;
  waiting: number;
  sent: number;
}

function watchOf(connections: readonly Played[]): { run(seconds: number, each?: () => void): readonly string[]; sleep(): void } {
  const clock = { ms: 0, nowMs: (): number => clock.ms, monotonicMs: (): number => clock.ms };
  const ended = new Set<Played>();
  const watch = new SendWatch<Played>({ clock, backlogOf: (each): Played => each, onStalled: (each): void => void ended.add(each) });
  return {
    run(seconds, each): readonly string[] {
      for (let second = 0; second < seconds; second += 1, clock.ms += 1_000) {
        each?.();
        watch.poll(connections.filter((connection) => !ended.has(connection)));
      }
      return [...ended].map(({ name }) => name);
    },
    sleep: (): void => {
      clock.ms += 10 * stallMs;
    },
  };
}

describe("the watch over what waits to be sent", () => {
  it("ends a connection of which nothing leaves, and none that is slow or idle", () => {
    const [dead, slow, idle] = ["dead", "slow", "idle"].map((name): Played => ({ name, waiting: name === "idle" ? 0 : 1_000, sent: 5 }));
    const watch = watchOf([dead, slow, idle].flatMap((each) => each ?? []));
    const trickle = (): void => {
      if (slow !== undefined) slow.sent += 1;
    };
    expect(watch.run(stallMs / 1_000, trickle)).toEqual([]);
    expect(watch.run(2, trickle)).toEqual(["dead"]);
    expect(watch.run(100, trickle)).toEqual(["dead"]);
  });

  it("ends one that holds too much, and the largest when all together do", () => {
    const connections = (count: number, waiting: number): Played[] =>
      Array.from({ length: count }, (_, index): Played => ({ name: `${index}`, waiting: waiting + index, sent: 0 }));
    expect(watchOf([{ name: "big", waiting: connectionBytes + 1, sent: 0 }, ...connections(2, 1)]).run(1)).toEqual(["big"]);
    const many = Math.ceil(backlogBytes / (connectionBytes - 1_000)) + 1;
    expect(watchOf(connections(many, connectionBytes - 1_000)).run(1)).toEqual([`${many - 1}`, `${many - 2}`]);
  });

  it("blames no one for the time in which this node was suspended", () => {
    const watch = watchOf([{ name: "a", waiting: 10, sent: 0 }]);
    watch.run(3);
    watch.sleep();
    expect(watch.run(3)).toEqual([]);
  });
});
