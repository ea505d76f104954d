import { describe, expect, it, vi } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { SealRequest } from "#shared/keyring/keyring-api.ts";
import type { OutboxRecord } from "#shared/messenger/model/records.ts";
import { type SealedPlan, type SealingPlan, sealPlans } from "#shared/messenger/sending/sealing.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";

const UNUSABLE = "00".repeat(32);

function planOf(seq: number, recipients: readonly string[]): SealingPlan {
  const record: OutboxRecord = {
    ...{ seq, peer: "ab".repeat(32), task: { kind: "receipt", status: "read", ids: [] }, queuedAt: 0, done: [] },
    ...{ isRelayed: false, isFailed: false },
  };
  const requests = recipients.map((recipient): SealRequest => ({ plaintext: new Uint8Array([seq]), recipients: [recipient], sentAt: 1 }));
  const entry = { record, leaving: new Map(), introductions: new Map(), settled: [], waiting: [], isCovered: false };
  return { entry, parts: [], held: [], requests, shownCards: new Map() };
}

/** A keyring that seals nothing for one key, and notes how much it is asked for at once. */
function keyring(): { readonly seal: ReturnType<typeof vi.fn>; readonly context: Parameters<typeof sealPlans>[0] } {
  const seal = vi.fn(async ({ requests }: { readonly requests: readonly SealRequest[] }): Promise<readonly Envelope[]> => {
    if (requests.some(({ recipients }) => recipients.includes(UNUSABLE))) throw new CodedError("ENVELOPE_INVALID", "no such key");
    return requests.map(
      ({ recipients: [recipient = ""], plaintext }) => ({ recipient_pub: recipient, id: String(plaintext[0]) }) as Envelope,
    );
  });
  return { seal, context: { keyring: { seal } } as unknown as Parameters<typeof sealPlans>[0] };
}

async function sealAll(sealing: AsyncIterable<SealedPlan>): Promise<readonly SealedPlan[]> {
  const sealed: SealedPlan[] = [];
  for await (const plan of sealing) sealed.push(plan);
  return sealed;
}

describe("sealing", () => {
  it("gives each entry its own envelopes, with one call for many", async () => {
    const { seal, context } = keyring();
    const sealed = await sealAll(sealPlans(context, [planOf(1, ["a", "b"]), planOf(2, []), planOf(3, ["c"])]));
    expect(sealed.map(({ envelopes }) => envelopes?.map(({ recipient_pub: to, id }) => `${to}${id}`))).toEqual([["a1", "b1"], [], ["c3"]]);
    expect(seal).toHaveBeenCalledTimes(1);
  });

  it("keeps no entry from going because another one cannot be sealed", async () => {
    const { context } = keyring();
    const sealed = await sealAll(sealPlans(context, [planOf(1, ["a"]), planOf(2, [UNUSABLE]), planOf(3, ["c"])]));
    expect(sealed.map((plan) => plan.envelopes?.length ?? (plan as { error: CodedError }).error.code)).toEqual([1, "ENVELOPE_INVALID", 1]);
  });

  it("asks for at most 32 envelopes at once, and for all of an entry", async () => {
    const { seal, context } = keyring();
    const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `d${index}`);
    await sealAll(sealPlans(context, [planOf(1, many(20)), planOf(2, many(12)), planOf(3, many(1)), planOf(4, many(100))]));
    expect(seal.mock.calls.map(([{ requests }]) => requests.length)).toEqual([32, 1, 100]);
  });

  it("gives what is sealed before the rest is", async () => {
    const { seal, context } = keyring();
    const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `d${index}`);
    const sealed = sealPlans(context, [planOf(1, many(30)), planOf(2, many(30))]);
    expect((await sealed.next()).value?.envelopes).toHaveLength(30);
    expect(seal).toHaveBeenCalledTimes(1);
  });
});
