import { describe, expect, it } from "vitest";
import { type SubmitPaths, submitTransaction } from "#renderer/lib/transactions/sending/submit-transaction.ts";
import { HttpError } from "#shared/api/client.ts";
import type { NodeFrame } from "#shared/api/socket/frames.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

const TRANSACTION: Transaction = {
  id: "tx1",
  type: "TRANSFER",
  from: "aa",
  to: "bb",
  amount: 1,
  fee: 1000,
  payload: "",
  timestamp: "2026-01-01T00:00:00Z",
  signature: "",
};
const ACCEPTED: NodeFrame<"submit_ack"> = { type: "submit_ack", id: "tx1", status: "accepted" };
const gone = (): Promise<never> => Promise.reject(new CodedError("UNAVAILABLE", "no connection"));

/** Both ways, the second one counted. */
function paths(
  live: () => Promise<NodeFrame<"submit_ack">>,
  http: () => Promise<void> = async (): Promise<void> => undefined,
): SubmitPaths & { posts: number } {
  const result = {
    posts: 0,
    live: { submit: live },
    client: {
      submitTransaction: async (): Promise<{ status: string; id: string }> => {
        result.posts += 1;
        await http();
        return { status: "accepted", id: "tx1" };
      },
    },
  };
  return result;
}

describe("submitTransaction", () => {
  it("is done when the live connection took it", async () => {
    const both = paths(async () => ACCEPTED);
    await submitTransaction(both, TRANSACTION);
    expect(both.posts).toBe(0);
  });

  it("goes over HTTP when there is no live connection", async () => {
    const both = paths(gone);
    await submitTransaction(both, TRANSACTION);
    expect(both.posts).toBe(1);
  });

  it("asks over HTTP after a rejection, and tells its reason", async () => {
    const both = paths(
      async () => Promise.reject(new CodedError("TX_REJECTED", "no")),
      async () => Promise.reject(new HttpError(400, "The sender cannot pay amount and fee")),
    );
    await expect(submitTransaction(both, TRANSACTION)).rejects.toThrow("cannot pay");
  });

  it("takes a duplicate for success: the first way had arrived", async () => {
    const both = paths(gone, async () =>
      Promise.reject(new HttpError(400, `A transaction with the id ${TRANSACTION.id} is known already`)),
    );
    await expect(submitTransaction(both, TRANSACTION)).resolves.toBeUndefined();
  });

  it('takes another rule\'s "already" for the refusal it is', async () => {
    const both = paths(gone, async () => Promise.reject(new HttpError(400, "The device is active already")));
    await expect(submitTransaction(both, TRANSACTION)).rejects.toThrow("active already");
  });
});
