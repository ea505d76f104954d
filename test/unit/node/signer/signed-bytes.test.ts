// The signer reads the bytes itself: what is not exactly consensus of its own chain is not signed.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partsSignBytes } from "#node/network/traffic/parts/part-codec.ts";
import { seatSignBytes } from "#node/network/wire/seat.ts";
import { readSignedBytes } from "#node/signer/wire/signed-bytes.ts";
import { proposalSignBytes, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { domainBytes, SIGNATURE_DOMAINS, type SignatureDomain } from "#shared/protocol/primitives/domains.ts";
import { approvalSignBytes, voucherSignBytes, walletSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import { signBytes } from "#shared/protocol/transactions/sign-bytes.ts";
import { concatBytes, utf8 } from "#shared/util/bytes.ts";
import { extent } from "#test/support/host/test-extent.ts";

const CHAIN = "parley-1";
const HASH = "cd".repeat(32);
const KEY = "ab".repeat(32);

const vote = voteSignBytes(CHAIN, { type: "prevote", height: 5, round: 2, blockHash: HASH });
const nil = voteSignBytes(CHAIN, { type: "precommit", height: 5, round: 2, blockHash: null });
const proposal = proposalSignBytes(CHAIN, { height: 6, round: 1, validRound: 0, blockHash: HASH });
const head = { height: 6, round: 1, validRound: 0, blockHash: HASH, validatorIndex: 0, signature: new Uint8Array(64) };
const parts = partsSignBytes(CHAIN, { proposal: head, size: 70_000, partBytes: 1_024, root: new Uint8Array(32), relays: Uint8Array.of(6) });
const seat = seatSignBytes(CHAIN, { validator: KEY, node: HASH, sinceSec: 1_800_000_000 });

describe("bytes to sign", () => {
  it("are read by what they say", () => {
    expect(readSignedBytes(CHAIN, vote)).toEqual({
      type: "consensus",
      position: { height: 5, round: 2, step: "prevote" },
      blockHash: HASH,
    });
    expect(readSignedBytes(CHAIN, nil)).toEqual({
      type: "consensus",
      position: { height: 5, round: 2, step: "precommit" },
      blockHash: null,
    });
    expect(readSignedBytes(CHAIN, proposal)).toMatchObject({ position: { height: 6, round: 1, step: "proposal" }, blockHash: HASH });
    expect(readSignedBytes(CHAIN, parts)).toEqual({ type: "parts", height: 6, round: 1, blockHash: HASH });
    expect(readSignedBytes(CHAIN, seat)).toEqual({ type: "seat", seat: { validator: KEY, node: HASH, sinceSec: 1_800_000_000 } });
  });

  it("of transactions, and of anything else that the key could sign, are refused", () => {
    const tx = {
      ...{ id: "tx1", type: "TRANSFER", from: KEY, to: HASH, amount_ut: 1, fee_ut: 1_000, memo: "", timestamp: "2026-01-01T00:00:00Z" },
      ...{ payload: {} },
    };
    const others = [
      signBytes(tx as never),
      utf8(JSON.stringify(tx)),
      walletSignBytes(CHAIN, KEY),
      approvalSignBytes(CHAIN, { action: "remove", publicKey: KEY, signedAt: 1 }),
      voucherSignBytes(CHAIN, "ab".repeat(16), 5),
      new Uint8Array(),
      utf8("\n\n"),
      utf8(`parley-vote\n${CHAIN}`),
    ];
    for (const bytes of others) expect(readSignedBytes(CHAIN, bytes).type).toBe("unsignable");
    const signable: readonly SignatureDomain[] = ["vote", "proposal", "parts", "seat"];
    for (const domain of Object.keys(SIGNATURE_DOMAINS) as SignatureDomain[])
      if (!signable.includes(domain)) expect(readSignedBytes(CHAIN, domainBytes(domain, CHAIN, [1, 5, 2, null])).type).toBe("unsignable");
  });

  it("of another chain are refused, also one whose name begins alike", () => {
    for (const chain of ["parley-2", "parley-11", "parley", "PARLEY-1"]) {
      const outcome = readSignedBytes(CHAIN, voteSignBytes(chain, { type: "prevote", height: 5, round: 2, blockHash: HASH }));
      expect(outcome).toMatchObject({ type: "unsignable", reason: expect.stringContaining("another chain") });
    }
  });

  it.each([
    ["a vote of no step", "vote", [0, 5, 2, null]],
    ["a vote of a third step", "vote", [3, 5, 2, null]],
    ["a vote at height 0", "vote", [1, 0, 2, null]],
    ["a negative height", "vote", [1, -5, 2, null]],
    ["a negative round", "vote", [1, 5, -1, null]],
    ["a round beyond all", "vote", [1, 5, 1_000_001, null]],
    ["a short hash", "vote", [1, 5, 2, new Uint8Array(31)]],
    ["a hash as text", "vote", [1, 5, 2, HASH]],
    ["a field too much", "vote", [1, 5, 2, null, 0]],
    ["a field too few", "vote", [1, 5, 2]],
    ["a proposal with a vote's fields", "proposal", [1, 5, 2, null]],
    ["a proposal whose valid round is its own", "proposal", [5, 2, 2, new Uint8Array(32)]],
    ["parts without a size", "parts", [5, 2, new Uint8Array(32), 0, 1_024, new Uint8Array(32), new Uint8Array(1)]],
    ["a seat without a node", "seat", [new Uint8Array(32), new Uint8Array(), 5]],
  ] as const)("that are malformed are refused: %s", (_name, domain, content) => {
    expect(readSignedBytes(CHAIN, domainBytes(domain, CHAIN, content)).type).toBe("unsignable");
  });

  it("have one form alone: a longer number or more bytes behind are refused", () => {
    const front = utf8(`parley-vote\n${CHAIN}\n`);
    const longHeight = Uint8Array.of(0x84, 0x01, 0x18, 0x05, 0x02, 0xf6);
    expect(readSignedBytes(CHAIN, concatBytes(front, longHeight)).type).toBe("unsignable");
    expect(readSignedBytes(CHAIN, concatBytes(nil, Uint8Array.of(0))).type).toBe("unsignable");
    for (const bytes of [vote, nil, proposal, parts, seat])
      for (let length = 0; length < bytes.length; length += 1)
        expect(readSignedBytes(CHAIN, bytes.subarray(0, length)).type).toBe("unsignable");
  });

  it("of strangers are read without a failure, and what is signable is what it says", () => {
    const any = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.tuple(fc.constantFrom(vote, nil, proposal, parts, seat), fc.nat(), fc.nat({ max: 255 })).map(([of, at, byte]) => {
        const changed = Uint8Array.from(of);
        changed[at % changed.length] = byte;
        return changed;
      }),
    );
    fc.assert(
      fc.property(any, (bytes) => {
        const content = readSignedBytes(CHAIN, bytes);
        if (content.type !== "consensus") return;
        const { step, height, round } = content.position;
        if (step !== "proposal") expect(bytes).toEqual(voteSignBytes(CHAIN, { type: step, height, round, blockHash: content.blockHash }));
      }),
      { numRuns: extent(750, 3_000) },
    );
  });
});
