// What lies in the memory of each module: texts for the host (keys, a contract, a method, arguments, lines), and noise, so that what is read
// is not mostly zero.
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { alice } from "../../worlds/ledger-world.ts";
import { randomNumbers } from "../random-module.ts";
import { CONTRACT_ID } from "./host-run.ts";

/** Where they lie. */
export const TEXTS_AT = 48_000;

/** Where noise lies: where code of binaryen's generator reads, where contracts have nothing, and where results are kept. */
export const NOISE_AT = { low: 0, own: 16_384, kept: 36_864 } as const;
export const NOISE: Uint8Array = noise();

const LINES = {
  to: alice.pub,
  // A point of small order, and one that is none of the curve: neither can be paid.
  recipient: `01${"00".repeat(31)}`,
  contract: CONTRACT_ID.replace("c1", "c2"),
  method: "run",
  arguments: '["text",7]',
  line: '{"event":"Paid","index":{"id":"7"},"data":{"amount":5}}',
  result: '{"ok":true}',
  reason: "not allowed",
  key: "key:1",
  prefix: "key:",
  after: "key:0",
  value: `value ${"x".repeat(40)}`,
  message: "signed",
  signature: toHex(new Uint8Array(32)),
  bytes: "what is hashed",
} as const;

interface Text {
  readonly at: number;
  readonly length: number;
}

/** Place and length of each, by the parameter that it is for. */
export const TEXTS: Readonly<Record<string, Text>> = placed();

/** All of them, one behind the other. */
export const TEXTS_BYTES: Uint8Array = utf8(Object.values(LINES).join(""));

function noise(): Uint8Array {
  const random = randomNumbers(1);
  return Uint8Array.from({ length: 512 }, () => random(256));
}

function placed(): Record<string, Text> {
  let at = 0;
  const texts: Record<string, Text> = {};
  for (const [name, text] of Object.entries(LINES)) {
    texts[name] = { at, length: utf8(text).length };
    at += text.length;
  }
  return texts;
}
