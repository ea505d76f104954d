import { describe, expect, it } from "vitest";
import { type AttemptSteps, createAttempts, isUncertain } from "#renderer/lib/transactions/sending/intent-attempts.ts";
import { HttpError } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Intent, SignedIntent } from "#shared/keyring/intents/intents.ts";

const call = (gasLimit: number): Intent => ({ kind: "callContract", contractId: "c", method: "m", argsJson: "[]", amountUt: 5, gasLimit });
const pay = (amountUt: number): Intent => ({ kind: "pay", to: "aa", amountUt });

/** Steps of a wallet that numbers what it signs, and of a node that answers each submission with the next of `answers`. */
function stepsOf(answers: readonly (Error | "taken")[]): AttemptSteps & { readonly submitted: string[]; readonly noted: string[] } {
  const [submitted, noted, left] = [[] as string[], [] as string[], [...answers]];
  let signatures = 0;
  return {
    submitted,
    noted,
    sign: (intent): Promise<SignedIntent> => {
      signatures += 1;
      return Promise.resolve({ transaction: { id: `${signatures}` }, summary: { kind: intent.kind } } as unknown as SignedIntent);
    },
    paths: {
      live: { submit: () => Promise.reject(new CodedError("UNAVAILABLE", "no live connection")) },
      client: {
        submitTransaction: async ({ body }): Promise<{ id: string; status: "pending" }> => {
          const id = body.id ?? "";
          submitted.push(id);
          const answer = left.shift() ?? "taken";
          if (answer !== "taken") throw answer;
          return await Promise.resolve({ id, status: "pending" });
        },
      },
    },
    onSubmitted: ({ transaction: { id } }, isOpen): void => void noted.push(isOpen ? `${id}?` : id),
  };
}

const AWAY = new CodedError("UNAVAILABLE", "away");
const REFUSED = new CodedError("TX_INSUFFICIENT_BALANCE", "no");

describe("attempts of an intent", () => {
  it("are one, however often it is sent while the first is under way", async () => {
    const [attempts, steps] = [createAttempts(), stepsOf([])];
    const [first, second] = await Promise.all([attempts.run(pay(1), steps), attempts.run(pay(1), steps)]);
    expect(first).toBe(second);
    expect(steps.submitted).toEqual(["1"]);
    expect(steps.noted).toEqual(["1"]);
  });

  it("send what was signed again while its fate is unknown, with whatever gas limit is advised by then", async () => {
    const [attempts, steps] = [createAttempts(), stepsOf([AWAY, new CodedError("RATE_LIMITED", "slow"), "taken"])];
    for (const gasLimit of [100, 200]) {
      const error = await attempts.run(call(gasLimit), steps).catch((reason: unknown) => reason);
      expect(isUncertain(error)).toBe(true);
    }
    await attempts.run(call(300), steps);
    expect(steps.submitted).toEqual(["1", "1", "1"]);
    expect(steps.noted).toEqual(["1?", "1?", "1"]);
  });

  it("stay one when what was unclear is refused later: it may have arrived, or is sent again elsewhere", async () => {
    const answers = [AWAY, ...[1, 2].map(() => new CodedError("TX_INSUFFICIENT_BALANCE", "no"))];
    const [attempts, steps] = [createAttempts(), stepsOf([...answers, "taken", "taken"])];
    for (const answer of answers) {
      const error = await attempts.run(pay(1), steps).catch((reason: unknown) => reason);
      expect([error, isUncertain(error)]).toEqual([answer, true]);
    }
    await attempts.run(pay(1), steps);
    await attempts.run(pay(1), steps);
    expect(steps.submitted).toEqual(["1", "1", "1", "1", "2"]);
  });

  it("never send what was signed of another intent, however unknown its fate is", async () => {
    const [attempts, steps] = [createAttempts(), stepsOf([AWAY, "taken"])];
    await attempts.run(pay(1), steps).catch(() => undefined);
    expect((await attempts.run(pay(2), steps)).transaction.id).toBe("2");
    expect(steps.submitted).toEqual(["1", "2"]);
  });

  it("are new after a refusal, after a success and for another intent", async () => {
    const [attempts, steps] = [createAttempts(), stepsOf([REFUSED, "taken", "taken", "taken"])];
    const error = await attempts.run(pay(1), steps).catch((reason: unknown) => reason);
    expect([error, isUncertain(error)]).toEqual([REFUSED, false]);
    for (const amountUt of [1, 1, 2]) await attempts.run(pay(amountUt), steps);
    expect(steps.submitted).toEqual(["1", "2", "3", "4"]);
  });

  it.each([
    ["a refused transaction", new HttpError(400, "insufficient balance"), false],
    ["an unreachable node", new CodedError("UNAVAILABLE", "gone", { cause: new Error("fetch") }), true],
    ["a failing node", new HttpError(500, "oops"), true],
    ["a node that asks to slow down", new HttpError(429, "slow"), true],
    ["an unknown failure", new Error("?"), true],
  ])("may have arrived after %s: %o, %s", async (_, answer, isOpen) => {
    const steps = stepsOf([answer]);
    const error = await createAttempts()
      .run(pay(1), steps)
      .catch((reason: unknown) => reason);
    expect([error, isUncertain(error)]).toEqual([answer, isOpen]);
    expect(steps.noted).toEqual(isOpen ? ["1?"] : []);
  });

  it("leave nothing behind where nothing was signed", async () => {
    const attempts = createAttempts();
    const locked = new CodedError("KEYRING_LOCKED", "locked");
    const steps = stepsOf([]);
    const error = await attempts.run(pay(1), { ...steps, sign: () => Promise.reject(locked) }).catch((reason: unknown) => reason);
    expect([error, isUncertain(error)]).toEqual([locked, false]);
    await attempts.run(pay(1), steps);
    expect(steps.noted).toEqual(["1"]);
  });
});
