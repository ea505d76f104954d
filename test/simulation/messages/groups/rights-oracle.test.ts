import { expect, it } from "vitest";
import { RightsOracle, type ShownGroup } from "./rights-oracle.ts";

const SHOWN: ShownGroup = { owner: "ann", admins: ["bob"], members: ["ann", "bob"], name: "Hikes" };
const KNOWS_NOTHING = { owner: "ann", knows: (): boolean => false };
const KNOWS_ALL = { owner: "ann", knows: (): boolean => true };

function oracle(): RightsOracle {
  const rights = new RightsOracle({ member: "mallory", former: "eve" });
  rights.noteDrop("drop");
  rights.noteRemoval("removal", ["mallory", "eve"]);
  rights.noteWorthlessName("Mine");
  rights.noteLateName("Late");
  return rights;
}

it.each<readonly [string, Partial<ShownGroup>]>([
  ["for the owner", { owner: "eve" }],
  ["no owner has named", { admins: ["bob", "mallory"] }],
  ["without a right", { name: "Mine" }],
])("finds what no device may show: %s", (words, shown) => {
  expect(oracle().wrong({ ...SHOWN, ...shown }, KNOWS_NOTHING)).toContain(words);
});

it.each<readonly [string, Partial<ShownGroup>]>([
  ["has dropped", { admins: ["bob", "eve"] }],
  ["was dropped", { name: "Late" }],
  ["who was removed", { members: ["ann", "bob", "mallory"] }],
  ["who was removed", { members: ["ann", "bob", "eve"] }],
])("finds what a device that knows better may not show: %s", (words, shown) => {
  expect(oracle().wrong({ ...SHOWN, ...shown }, KNOWS_ALL)).toContain(words);
  expect(oracle().wrong({ ...SHOWN, ...shown }, KNOWS_NOTHING)).toBeUndefined();
  expect(oracle().wrong(SHOWN, KNOWS_ALL)).toBeUndefined();
});

it("knows a removal to be a drop", () => {
  expect(oracle().wrong({ ...SHOWN, admins: ["eve"] }, { owner: "ann", knows: (hash) => hash === "removal" })).toContain("has dropped");
});
