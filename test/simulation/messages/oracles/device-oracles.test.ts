// A disk that was put back is held to the rules at once: by what was kept with its image.
import { expect, it } from "vitest";
import { createRandom } from "#test/support/host/random.ts";
import { SimulatedDevice } from "../device/simulated-device.ts";
import { MailNetwork } from "../network/mail-network.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);

it("finds at once what a disk that was put back holds against the rules", () => {
  const random = createRandom(7);
  const network = new MailNetwork(random, { loss: 0, doubling: 0, delayMs: 0 });
  const ann = new SimulatedDevice("ann-1", ["bob-1"], { random, network });
  const bob = new SimulatedDevice("bob-1", ["ann-1"], { random, network });
  let nowMs = START_MS;
  const talk = (): void => {
    for (let hour = 0; hour < 60; hour += 1) {
      nowMs += HOUR_MS;
      ann.write({ text: `a${nowMs}` }, nowMs.toString(16).padStart(32, "a"), nowMs);
      bob.write({ text: `b${nowMs}` }, nowMs.toString(16).padStart(32, "b"), nowMs);
      for (const device of [ann, bob]) device.step(nowMs);
    }
  };
  talk();
  const before = ann.image;
  talk();
  const { disk, oracles } = ann.image;
  ann.restore({ disk, oracles });
  expect(ann.wrongAt(nowMs)).toBeUndefined();
  // Planted: secrets that had gone when the image was made are on it again.
  const hoarded = new Map(
    [...disk.pairs].map(([peer, pair]) => {
      const cards = [...(before.disk.pairs.get(peer)?.state.cards ?? []), ...pair.state.cards];
      return [peer, { ...pair, state: { ...pair.state, cards } }];
    }),
  );
  ann.restore({ disk: { ...disk, pairs: hoarded }, oracles });
  expect(ann.wrongAt(nowMs)).toContain("and the rules leave");
  // An earlier disk is judged by what was kept with that, and has what an oracle of later times does not allow.
  ann.restore(before);
  expect(ann.wrongAt(nowMs)).toBeUndefined();
  ann.restore({ disk: before.disk, oracles });
  expect(ann.wrongAt(nowMs), "public cards of later days are lacking").toContain("against the rules, or lacks it");
});
