// How much mail of later versions stays.
import { expect, it } from "vitest";
import {
  MAX_NEWER,
  MAX_NEWER_CHARS,
  MAX_NEWER_CHARS_OF_BOX,
  MAX_NEWER_OF_BOX,
  NewerMail,
} from "#shared/messenger/receiving/boxes/newer-mail.ts";

type Entry = Parameters<NewerMail["keeps"]>[0];

/** An envelope of the lasting mailbox, or of a box. */
const entry = (id: string, chars = 10, box?: number): Entry => ({
  id,
  ciphertext: "x".repeat(chars),
  ...(box !== undefined && { box: { mailbox: `box ${box}`, peer: "", generation: 0 } as Entry["box"] & object }),
});

it("has room for few envelopes of a mailbox, in the order in which they came, and for those of others", () => {
  const mail = new NewerMail();
  const kept = Array.from({ length: MAX_NEWER_OF_BOX + 5 }, (_, at) => mail.keeps(entry(`a${at}`), true));
  expect(kept).toEqual(kept.map((_, at) => at < MAX_NEWER_OF_BOX));
  expect([mail.keeps(entry("a0"), true), mail.has(entry("a0")), mail.has(entry("a20"))]).toEqual([true, true, false]);
  const inBoxes = Array.from({ length: MAX_NEWER }, (_, at) => mail.keeps(entry(`b${at}`, 10, at), true));
  expect(inBoxes.filter(Boolean)).toHaveLength(MAX_NEWER - MAX_NEWER_OF_BOX);
});

it("has room for little text of a mailbox, and of all", () => {
  const mail = new NewerMail();
  expect([mail.keeps(entry("a", MAX_NEWER_CHARS_OF_BOX + 1), true), mail.keeps(entry("b", MAX_NEWER_CHARS_OF_BOX), true)]).toEqual([
    false,
    true,
  ]);
  expect(mail.keeps(entry("c", 1), true)).toBe(false);
  const whole = Array.from({ length: 8 }, (_, at) => mail.keeps(entry(`d${at}`, MAX_NEWER_CHARS_OF_BOX, at), true));
  expect(whole.filter(Boolean)).toHaveLength(MAX_NEWER_CHARS / MAX_NEWER_CHARS_OF_BOX - 1);
});

it("makes room once something is not listed any more", () => {
  const mail = new NewerMail();
  for (let at = 0; at < MAX_NEWER_OF_BOX; at += 1) mail.keeps(entry(`a${at}`), true);
  mail.begin();
  mail.keeps(entry("a0"), true);
  mail.end();
  expect([mail.has(entry("a0")), mail.has(entry("a1")), mail.keeps(entry("new"), true)]).toEqual([true, false, true]);
  mail.begin();
  mail.end();
  expect(mail.isThere).toBe(false);
});

it("has as much room for what may be of anyone, beside that of people one knows, and does not say so", () => {
  const mail = new NewerMail();
  for (let at = 0; at < MAX_NEWER_OF_BOX; at += 1) mail.keeps(entry(`a${at}`), false);
  expect([mail.keeps(entry("b"), false), mail.isThere]).toEqual([false, false]);
  expect([mail.keeps(entry("c"), true), mail.isThere]).toEqual([true, true]);
});
