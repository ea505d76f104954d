import { beforeEach, expect, it } from "vitest";
import { requireRules } from "#renderer/features/wallet/batch/require-rules.ts";
import type { PayIntent } from "#shared/keyring/intents/intents.ts";
import { NO_RULES, type SpendingRules } from "#shared/keyring/intents/spending/spending-rules.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import { BOB, EVE, T } from "#test/support/worlds/app-world.ts";
import { createTestKeyring, ManualTime, MemoryVault } from "#test/support/worlds/keyring-world.ts";

const batch: readonly PayIntent[] = [BOB, EVE].map((to) => ({ kind: "pay", to, amountUt: 6 * T }));
let time: ManualTime;
let keyring: Keyring;

beforeEach(async () => {
  time = new ManualTime();
  keyring = createTestKeyring(new MemoryVault(), time).keyring;
  await keyring.create({ password: "correct horse battery" });
});

it.each<[string, Partial<SpendingRules>, string | undefined]>([
  ["no rules", {}, undefined],
  ["a limit that holds all of it with the fees", { dailyUt: 12 * T + 2_000 }, undefined],
  ["a limit that holds each, but not both", { dailyUt: 12 * T + 1_999 }, "SPENDING_LIMIT"],
  ["a limit that holds none", { dailyUt: 5 * T }, "SPENDING_LIMIT"],
  ["a delay", { delay: { delayMs: 60_000, aboveUt: 5 * T, firstTime: false } }, "SPENDING_DELAY"],
  ["one of them chosen alone", { only: [BOB] }, "SPENDING_RECIPIENT"],
])("judges a batch as a whole before any of it is signed and counted: %s", async (_, rules, code) => {
  const blockMs = time.nowMs();
  await keyring.setSpendingRules({ rules: { ...NO_RULES, ...rules }, blockMs });
  const judged = requireRules(keyring, batch, { leastFeeUt: 1_000, blockMs });
  if (code === undefined) await judged;
  else await expect(judged).rejects.toEqual(expect.objectContaining({ code }));
  expect((await keyring.spending({ blockMs })).spentUt).toBe(0);
});
