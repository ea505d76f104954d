import { beforeEach, describe, expect, it } from "vitest";
import type { PairRecord } from "#shared/messenger/pairs/pair-record.ts";
import type { EngineContext } from "#shared/messenger/state/engine-context.ts";
import { TypingNames } from "#shared/messenger/views/pair-typing.ts";
import { TYPING_SLOT_MS, typingName, typingSlot } from "#shared/protocol/pairs/typing-name.ts";

const [ANN, BOB] = ["aa".repeat(32), "bb".repeat(32)];
const [LAPTOP, PHONE, DESK] = ["01".repeat(32), "02".repeat(32), "03".repeat(32)];
const [BOX_FOR_ANN, BOX_FOR_BOB] = ["0a".repeat(32), "0b".repeat(32)];
const NOW = 1_800_000_123_456;

const pskOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

describe("names under which people type", () => {
  let nowMs = NOW;
  const shown = new Map<string, { readonly peer: string; readonly psk: Uint8Array | null }>();
  let names: TypingNames;

  beforeEach(() => {
    nowMs = NOW;
    shown.clear();
    shown.set(LAPTOP, { peer: ANN, psk: pskOf(1) });
    shown.set(PHONE, { peer: ANN, psk: null });
    shown.set(DESK, { peer: BOB, psk: pskOf(3) });
    names = new TypingNames({
      clock: { nowMs: (): number => nowMs },
      boxes: {
        all: [
          { peer: ANN, boxes: [{ mailbox: BOX_FOR_ANN }] },
          { peer: BOB, boxes: [{ mailbox: "0d".repeat(32) }, { mailbox: BOX_FOR_BOB }] },
        ],
      },
      pairs: {
        get all(): readonly PairRecord[] {
          return [...shown].map(([device, { peer, psk }]) => ({ peer, device, shown: psk && { psk } }) as unknown as PairRecord);
        },
      },
    } as unknown as EngineContext);
  });

  const nameAt = (byte: number, atMs: number): string => typingName(pskOf(byte), typingSlot(atMs));

  it("are those of the card that the person's device was shown, in the mailbox for that person alone", () => {
    expect(names.ownerOf(BOX_FOR_ANN, nameAt(1, NOW))).toBe(ANN);
    expect(names.ownerOf(BOX_FOR_BOB, nameAt(3, NOW))).toBe(BOB);
    expect(names.ownerOf(BOX_FOR_BOB, nameAt(1, NOW))).toBeUndefined();
    expect(names.ownerOf("0c".repeat(32), nameAt(1, NOW))).toBeUndefined();
    for (const other of [LAPTOP, "00".repeat(32), nameAt(9, NOW)]) expect(names.ownerOf(BOX_FOR_ANN, other)).toBeUndefined();
  });

  it("are of ten minutes, those before or those after, as clocks differ, and no one's later", () => {
    const name = nameAt(1, NOW);
    for (const [slots, owner] of [
      [-2, undefined],
      [-1, ANN],
      [1, ANN],
      [2, undefined],
    ] as const) {
      nowMs = NOW + slots * TYPING_SLOT_MS;
      expect(names.ownerOf(BOX_FOR_ANN, name)).toBe(owner);
    }
  });

  it("are of the card before as well, once another one is shown, and of none before that", () => {
    expect(names.ownerOf(BOX_FOR_ANN, nameAt(1, NOW))).toBe(ANN);
    for (const [byte, known] of [
      [4, [1, 4]],
      [5, [4, 5]],
    ] as const) {
      shown.set(LAPTOP, { peer: ANN, psk: pskOf(byte) });
      const found = [1, 4, 5].filter((one) => names.ownerOf(BOX_FOR_ANN, nameAt(one, NOW)) === ANN);
      expect(found).toEqual(known);
    }
  });
});
