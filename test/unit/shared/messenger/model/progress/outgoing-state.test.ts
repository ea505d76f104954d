import { describe, expect, it } from "vitest";
import { advanceState, stateOfAll, waitingAgain, withoutRecipient, withReached } from "#shared/messenger/model/progress/outgoing-state.ts";
import type { MessageRecord } from "#shared/messenger/model/records.ts";

const [BOB, CAROL] = ["bb".repeat(32), "cc".repeat(32)] as const;
const MESSAGE: MessageRecord = {
  conversation: BOB,
  id: "11".repeat(16),
  direction: "out",
  at: 1,
  body: { kind: "text", text: "hello" },
  state: "relayed",
  problem: null,
  isUnread: false,
  hasReceipts: true,
  raw: null,
};

describe("an own message", () => {
  it("never goes back to an earlier state, nor to the same one", () => {
    const delivered = advanceState(MESSAGE, BOB, "delivered");
    expect(delivered?.state).toBe("delivered");
    for (const state of ["queued", "relayed", "delivered"] as const)
      expect(advanceState({ ...MESSAGE, state: "delivered" }, BOB, state)).toBeUndefined();
    expect(advanceState({ ...MESSAGE, state: null }, BOB, "read")).toBeUndefined();
  });

  it("between two knows when it was first known to be so far", () => {
    const relayed = withReached(MESSAGE, "relayed", 10);
    expect(withReached(withReached(relayed, "relayed", 20), "read", 30).reached).toEqual({
      relayed: 10,
      delivered: 30,
      read: 30,
    });
    expect(withReached(MESSAGE, "failed", 10)).toBe(MESSAGE);
    expect(withReached({ ...MESSAGE, deliveries: { [BOB]: "read" } }, "read", 10).reached).toBeUndefined();
  });

  it("to a group is as far as with the member with whom it is least far", () => {
    const sent: MessageRecord = { ...MESSAGE, deliveries: { [BOB]: "relayed", [CAROL]: "read" } };
    expect(advanceState(sent, CAROL, "delivered")).toBeUndefined();
    expect(advanceState(sent, BOB, "delivered")).toMatchObject({ state: "delivered", deliveries: { [BOB]: "delivered", [CAROL]: "read" } });
    expect(stateOfAll({ [BOB]: "failed", [CAROL]: "read" })).toBe("read");
    expect(stateOfAll({ [BOB]: "failed" })).toBe("failed");
    expect(withoutRecipient(sent, BOB)).toMatchObject({ state: "read", deliveries: { [CAROL]: "read" } });
  });

  it("that failed is sent again to those who did not get it", () => {
    expect(waitingAgain({ ...MESSAGE, state: "failed" }).state).toBe("queued");
    expect(waitingAgain(MESSAGE)).toBe(MESSAGE);
    expect(waitingAgain({ ...MESSAGE, state: "read", deliveries: { [BOB]: "failed", [CAROL]: "read" } })).toMatchObject({
      state: "queued",
      deliveries: { [BOB]: "queued", [CAROL]: "read" },
    });
  });
});
