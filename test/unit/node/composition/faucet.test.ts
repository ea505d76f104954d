import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Faucet } from "#node/composition/faucet.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { ed25519PublicKey, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { isIdAuthentic, signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { fromBase64, fromHex, toHex } from "#shared/util/bytes.ts";

const TO = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const secret = new Uint8Array(32).fill(3);
const key = { kind: "ed25519", publicKey: toHex(ed25519PublicKey(secret)), secret } as const;

interface FaucetWorld {
  readonly faucet: Faucet;
  readonly submitted: Transaction[];
  /** Ids that wait for a block. */
  readonly pending: Set<string>;
}

function world(refusal?: CodedError): FaucetWorld {
  const submitted: Transaction[] = [];
  const pending = new Set<string>();
  const faucet = new Faucet({
    chainId: "test-chain",
    key,
    submit: async (tx): Promise<{ status: string; id: string }> => {
      if (refusal !== undefined) throw refusal;
      submitted.push(tx);
      pending.add(tx.id);
      return { status: "accepted", id: tx.id };
    },
    isPending: (id): boolean => pending.has(id),
    clock: { nowMs: (): number => 1_767_225_600_000, monotonicMs: (): number => 0 },
    random: (length): Uint8Array => new Uint8Array(randomBytes(length)),
  });
  return { faucet, submitted, pending };
}

describe("Faucet", () => {
  it("pays from its account with a signed transfer of its own id", async () => {
    const { faucet, submitted } = world();
    const { id } = await faucet.give(TO, 5);
    const [tx] = submitted;
    expect(tx).toMatchObject({ id, type: "TRANSFER", from: key.publicKey, to: TO, amount: 5, fee: 1_000 });
    expect(tx !== undefined && isIdAuthentic("test-chain", tx)).toBe(true);
    expect(tx !== undefined && verifyZip215(fromBase64(tx.signature), signedBytes(tx), fromHex(tx.from))).toBe(true);
  });

  it("is busy while 256 payments wait for a block, and gives again once one is in", async () => {
    const { faucet, submitted, pending } = world();
    const gifts = await Promise.allSettled(Array.from({ length: 300 }, () => faucet.give(TO, 1)));
    expect(gifts.filter((gift) => gift.status === "fulfilled")).toHaveLength(256);
    expect(submitted).toHaveLength(256);
    await expect(faucet.give(TO, 1)).rejects.toMatchObject({ code: "UNAVAILABLE", status: 503 });
    pending.delete(submitted[0]?.id ?? "");
    await expect(faucet.give(TO, 1)).resolves.toMatchObject({ status: "accepted" });
    await expect(faucet.give(TO, 1)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("passes refusals on and does not count them", async () => {
    const { faucet } = world(new CodedError("TX_REJECTED", "no"));
    for (let attempt = 0; attempt < 300; attempt += 1) await expect(faucet.give(TO, 1)).rejects.toMatchObject({ code: "TX_REJECTED" });
  });
});
