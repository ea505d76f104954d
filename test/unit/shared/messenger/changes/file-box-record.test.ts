// For whom a file is stored once.
import { expect, it } from "vitest";
import { CHUNK_BYTES, MAX_FILE_BOXES } from "#shared/content/content.ts";
import { planFileBox } from "#shared/messenger/changes/files/file-box-record.ts";

const [ME, ANN, BOB] = ["ee", "aa", "bb"].map((byte) => byte.repeat(32)) as [string, string, string];
const OWN = "e1";
const SIZE = 20 * CHUNK_BYTES;

type Context = Parameters<typeof planFileBox>[0];

/** `readers`: devices that have said that they read mailboxes of files; `listed`: those that the chain lists. */
function readersOf(readers: Readonly<Record<string, readonly string[]>>, listed: Readonly<Record<string, readonly string[]>>): unknown {
  const all = Object.entries(readers).flatMap(([peer, devices]) => devices.map((device) => ({ peer, device, readsBoxes: MAX_FILE_BOXES })));
  const context = {
    account: { masterPub: ME, devicePub: OWN },
    pairs: { all },
    devices: { of: (person: string) => listed[person] && { signed: listed[person]?.slice(0, 1), first: listed[person]?.slice(1) } },
    random: (length: number) => new Uint8Array(length),
  } as unknown as Context;
  const plan = planFileBox(context, SIZE, [ME, ANN, BOB]);
  return plan && [plan.people, plan.readers];
}

it("leaves out people with a device that has said nothing: an earlier program without a pair would never get the file", () => {
  const readers = { [ANN]: ["a1", "a2"], [BOB]: ["b1"], [ME]: ["e2"] };
  const listed = { [ANN]: ["a1", "a2"], [BOB]: ["b1"], [ME]: [OWN, "e2"] };
  expect(readersOf(readers, listed)).toEqual([
    [ME, ANN, BOB],
    ["e2", "a1", "a2", "b1"],
  ]);
  expect(readersOf(readers, { ...listed, [ANN]: ["a1", "a2", "old"] })).toEqual([
    [ME, BOB],
    ["e2", "b1"],
  ]);
  expect(readersOf(readers, { ...listed, [ME]: [OWN, "e2", "old"] })).toEqual([
    [ANN, BOB],
    ["a1", "a2", "b1"],
  ]);
  // Those whose devices were not looked up yet are known by their pairs.
  expect(readersOf(readers, {})).toEqual([
    [ME, ANN, BOB],
    ["e2", "a1", "a2", "b1"],
  ]);
});
