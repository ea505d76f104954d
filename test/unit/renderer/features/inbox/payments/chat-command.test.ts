import { describe, expect, it } from "vitest";
import { type ChatCommand, parseChatCommand } from "#renderer/features/inbox/payments/chat-command.ts";

describe("commands in a chat", () => {
  it.each<[string, ChatCommand | undefined]>([
    ["/pay 5", { kind: "pay", amountUt: 5_000_000, note: "" }],
    ["  /pay 1.25 T  ", { kind: "pay", amountUt: 1_250_000, note: "" }],
    ["/pay 5 for lunch", { kind: "pay", amountUt: 5_000_000, note: "for lunch" }],
    ["/request 0.000001 Tea\nand cake", { kind: "request", amountUt: 1, note: "Tea\nand cake" }],
    ["/pay", { kind: "invalid", problem: "amount" }],
    ["/pay five", { kind: "invalid", problem: "amount" }],
    ["/pay 0", { kind: "invalid", problem: "amount" }],
    ["/pay -5", { kind: "invalid", problem: "amount" }],
    ["/pay 1,5", { kind: "pay", amountUt: 1_500_000, note: "" }],
    ["/pay 1,500", { kind: "invalid", problem: "amount" }],
    ["/pay 1.0000001", { kind: "invalid", problem: "amount" }],
    [`/request 1 ${"x".repeat(257)}`, { kind: "invalid", problem: "note" }],
    ["/payment 5", undefined],
    ["/shrug", undefined],
    ["I pay 5", undefined],
    ["text /pay 5", undefined],
    ["", undefined],
  ])("%j", (text, command) => {
    expect(parseChatCommand(text, "en")).toEqual(command);
  });
});
