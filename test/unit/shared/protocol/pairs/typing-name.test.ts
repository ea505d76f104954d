import { describe, expect, it } from "vitest";
import { TYPING_SLOT_MS, typingName, typingSlot } from "#shared/protocol/pairs/typing-name.ts";

const PSK = Uint8Array.from({ length: 32 }, (_, at) => at);

describe("the name under which a device types", () => {
  it("is HKDF-SHA-256 of the pre-shared key and the number of the ten minutes, with its top bit 0", () => {
    // Computed by Python's hmac.
    expect(typingName(PSK, 0)).toBe("888da1936ac02a66a402e6c65f2cb2e5c4c17b0efbded8752efae310497def06");
    expect(typingName(PSK, 2_966_712)).toBe("243657b054f4dda03634d6eb00dcbe9066a3994a42277c3a39b0a9484ab5ca2c");
    for (let slot = 0; slot < 64; slot += 1) expect(Number.parseInt(typingName(PSK, slot).slice(-2), 16)).toBeLessThan(0x80);
  });

  it("is another one every ten minutes", () => {
    expect([0, TYPING_SLOT_MS - 1, TYPING_SLOT_MS].map(typingSlot)).toEqual([0, 0, 1]);
  });
});
