// What the record of a group keeps of its invite links: a secret goes with its link, and a request with its answer.
import { expect, it } from "vitest";
import { linkFieldsOf, MAX_LINK_TEXTS, withLinkTexts } from "#shared/messenger/changes/group-links.ts";
import { createItem, PEOPLE, person } from "#test/support/groups/group-history.ts";
import { LogDevice } from "#test/support/groups/log-device.ts";

const [ANN, , , , EVE, FAY] = PEOPLE as readonly [string, string, string, string, string, string];
const KEY = person(0xa1);
const LATER = person(0xa2);

it("keeps texts of links that let people in, and of those whose entry has not come, until one is withdrawn", () => {
  const ann = new LogDevice(ANN, createItem());
  ann.write({ op: "invite", at: 7, key: KEY, until: 100, uses: 3 });
  const known = linkFieldsOf(ann.log, { linkTexts: { [KEY]: "one", [LATER]: "two" } });
  expect(known).toEqual({
    links: [{ key: KEY, by: ANN, at: 7, until: 100, uses: 3, used: 0 }],
    linkTexts: { [KEY]: "one", [LATER]: "two" },
  });
  ann.write({ op: "withdraw", at: 8, keys: [KEY] });
  expect(linkFieldsOf(ann.log, known)).toEqual({ linkTexts: { [LATER]: "two" } });
  expect(withLinkTexts({}, ann.log, { [KEY]: "one" })).toEqual({});
});

it("forgets the text of a link that was there, also where a base has replaced what ended it", () => {
  const ann = new LogDevice(ANN, createItem());
  ann.write({ op: "invite", at: 7, key: KEY, until: 100, uses: 3 });
  const known = linkFieldsOf(ann.log, { linkTexts: { [KEY]: "one" } });
  ann.write({ op: "withdraw", at: 8, keys: [KEY] });
  for (const at of [9, 10]) ann.writeBase(at);
  expect(ann.log.root).toBeDefined();
  expect(linkFieldsOf(ann.log, known)).toEqual({});
});

it("drops a request of who is in the group, and remembers whom it refused", () => {
  const ann = new LogDevice(ANN, createItem());
  const waiting = [FAY, EVE].map((who) => ({ person: who, key: KEY, at: 1, cameAt: 1, asked: [ANN] }));
  const known = { waiting, refused: { [person(0x55)]: 1 } };
  expect(linkFieldsOf(ann.log, known)).toEqual(known);
  ann.write({ op: "add", at: 9, people: [EVE] });
  expect(linkFieldsOf(ann.log, known)).toEqual({ ...known, waiting: waiting.slice(0, 1) });
});

it("keeps the newest texts, each once", () => {
  const ann = new LogDevice(ANN, createItem());
  const texts = Array.from({ length: MAX_LINK_TEXTS + 2 }, (_, index) => [person(0x60 + index), `link ${index}`] as const);
  const kept = texts.reduce((known, [key, text]) => withLinkTexts(known, ann.log, { [key]: text }), {});
  expect(kept).toEqual({ linkTexts: Object.fromEntries(texts.slice(2)) });
});
