import { describe, expect, it } from "vitest";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { addPending, usePendingStore } from "#renderer/lib/transactions/pending-store.ts";
import { createAttempts, uncertainOf } from "#renderer/lib/transactions/sending/intent-attempts.ts";
import { leftBehind } from "#renderer/lib/transactions/sending/left-behind.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Intent, SignedIntent } from "#shared/keyring/intents/intents.ts";

const t = createTranslate("en", en);
const PAY: Intent = { kind: "pay", to: "aa", amountUt: 5 };

/** How a submission ends that a node answers with this error. */
async function failureOf(answer: CodedError): Promise<unknown> {
  const signed = { transaction: { id: "7" }, summary: { kind: "pay" } } as unknown as SignedIntent;
  return await createAttempts()
    .run(PAY, {
      sign: () => Promise.resolve(signed),
      paths: { live: { submit: () => Promise.reject(answer) }, client: { submitTransaction: () => Promise.reject(answer) } },
      onSubmitted: ({ transaction: { id }, summary }) => addPending({ id, summary, submittedAtMs: 0, isUncertain: true }),
    })
    .catch((error: unknown) => error);
}

describe("a sheet that was left while it was sent", () => {
  it("is said not to be sent where the node refused it, and why", async () => {
    const error = await failureOf(new CodedError("TX_INSUFFICIENT_BALANCE", "no"));
    const { id, title, description, tone } = leftBehind(t, "pay", error);
    expect([id, title, tone]).toEqual([undefined, "Payment was not sent", "danger"]);
    expect(description).toBe(en["errors.balance"]);
  });

  it("is said to be open where there was no answer, and is followed, so that its outcome takes the place of these words", async () => {
    const error = await failureOf(new CodedError("UNAVAILABLE", "away"));
    expect(uncertainOf(error)?.transaction.id).toBe("7");
    const { id, title, tone } = leftBehind(t, "pay", error);
    expect([id, title, tone]).toEqual(["7", "Payment: no clear answer", "warning"]);
    expect(usePendingStore.getState().transactions).toMatchObject([{ id: "7", isFollowed: true }]);
  });
});
