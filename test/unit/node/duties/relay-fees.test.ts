// Collecting fees over a real mailbox database.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLAIM_INTERVAL_MS, collectRelayFees } from "#node/duties/relay-fees.ts";
import { readNodeCounters, writeRelay, writeWallet } from "#node/ledger/records/node-records.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import { type MailboxRepository, openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import { claimOf } from "#test/support/chain/ledger-payloads.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { DutyWorld } from "#test/support/worlds/duty-world.ts";
import { type Actor, alice, bob, carol, deviceKey } from "#test/support/worlds/ledger-world.ts";

let folder: TemporaryFolder;
let mailbox: MailboxRepository;
let world: DutyWorld;
let arrive: (envelope: Pick<Envelope, "fee_ut">) => void;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  mailbox = openMailbox(folder.path);
  world = new DutyWorld();
  writeRelay(world.state, { publicKey: bob.pub, x25519Pub: deviceKey(40), feePerMessageUt: 500, multiaddr: "" });
});

afterEach(async () => {
  mailbox.close();
  await folder.remove();
});

function start(node: Actor = bob): () => void {
  const onEnvelope = (listener: typeof arrive): (() => void) => {
    arrive = listener;
    return (): void => {
      arrive = (): void => undefined;
    };
  };
  return collectRelayFees({ ...world.context(node), timers: world.time, claims: mailbox.claims, onEnvelope });
}

function deliver(sender: Actor, from: number, count: number, feeUt: number): void {
  for (let n = from; n < from + count; n += 1) {
    const { envelope_id, recipient_pub, fee_ut, fee_sig } = claimOf(sender, `envelope-${n}`, feeUt);
    mailbox.claims.add({ id: envelope_id, recipient_pub, sender_ed25519_pub: sender.pub, fee_ut, fee_sig }, 1_000);
  }
}

const balance = ({ pub }: Actor): number => readAccount(world.state, pub).balanceUt;
const batches = (): readonly number[] =>
  world.submitted.map(({ payload }) => (decodePayload(payload) as { readonly claims: readonly unknown[] }).claims.length);

describe("the fees of a relay", () => {
  it("are collected in batches of a hundred until none is left, each once", async () => {
    deliver(alice, 0, 250, 600);
    start();
    const before = balance(bob);
    for (let block = 0; block < 4; block += 1) {
      world.commit();
      await world.pass(1_000);
    }
    await world.pass(CLAIM_INTERVAL_MS);
    world.commit();
    await world.pass(2 * CLAIM_INTERVAL_MS);
    expect(batches()).toEqual([100, 100, 50]);
    const feesUt = world.submitted.reduce((sum, { fee }) => sum + fee, 0);
    expect(feesUt).toBeGreaterThan(3 * 1_000);
    expect(balance(bob)).toBe(before + 250 * 600 - feesUt);
    expect({ left: mailbox.claims.count, proofs: readNodeCounters(world.state, bob.pub).relayProofs }).toEqual({ left: 0, proofs: 3 });
  });

  it("are collected as far as each brings more than its bytes cost", async () => {
    deliver(alice, 0, 20, 5_000);
    deliver(alice, 20, 60, 100);
    start();
    await world.pass(CLAIM_INTERVAL_MS);
    const [count = 0] = batches();
    // The smallest fee of a transaction pays for some claims of little worth, not for all.
    expect(count).toBeGreaterThanOrEqual(20);
    expect(count).toBeLessThan(80);
  });

  it("wait until they are worth more than the transaction costs", async () => {
    deliver(alice, 0, 2, 500);
    start();
    await world.pass(3 * CLAIM_INTERVAL_MS);
    expect(world.submitted).toEqual([]);
    deliver(alice, 2, 1, 1);
    await world.pass(CLAIM_INTERVAL_MS);
    expect(batches()).toEqual([3]);
  });

  it("are collected as soon as a batch is full", () => {
    start();
    deliver(alice, 0, 100, 600);
    for (let n = 0; n < 99; n += 1) arrive({ fee_ut: 600 });
    for (let n = 0; n < 50; n += 1) arrive({ fee_ut: 0 });
    expect(world.submitted).toEqual([]);
    arrive({ fee_ut: 600 });
    expect(batches()).toEqual([100]);
  });

  it("go to the wallet that the relay is bound to", () => {
    writeWallet(world.state, bob.pub, carol.pub);
    deliver(alice, 0, 3, 2_000);
    start();
    world.commit();
    expect(balance(carol)).toBe(6_000);
  });

  it("take the best first, skip senders without money, and forget what another relay was paid", async () => {
    deliver(carol, 0, 5, 9_000);
    deliver(alice, 10, 100, 600);
    deliver(alice, 200, 10, 5_000);
    start();
    const claimed = decodePayload(world.submitted[0]?.payload ?? "") as { readonly claims: readonly { readonly fee_ut: number }[] };
    expect(claimed.claims.slice(0, 11).map(({ fee_ut }) => fee_ut)).toEqual([...Array.from({ length: 10 }, () => 5_000), 600]);
    world.commit();
    await world.pass(CLAIM_INTERVAL_MS);
    world.commit();
    await world.pass(CLAIM_INTERVAL_MS);
    expect({ batches: batches(), left: mailbox.claims.count }).toEqual({ batches: [100, 10], left: 5 });
  });

  it("are tried again when a submission is refused, and not twice while one waits", async () => {
    deliver(alice, 0, 3, 2_000);
    world.refusal = new CodedError("MEMPOOL_FULL", "full");
    start();
    await world.pass(0);
    world.refusal = undefined;
    await world.pass(CLAIM_INTERVAL_MS);
    await world.pass(3 * CLAIM_INTERVAL_MS);
    expect(batches()).toEqual([3, 3]);
  });

  it.each<[string, () => Actor]>([
    ["is not registered", (): Actor => alice],
    [
      "cannot pay for the transaction",
      (): Actor => {
        writeRelay(world.state, { publicKey: carol.pub, x25519Pub: deviceKey(40), feePerMessageUt: 500, multiaddr: "" });
        return carol;
      },
    ],
  ])("stay where they are while the node %s", async (_name, node) => {
    deliver(alice, 0, 3, 2_000);
    start(node());
    await world.pass(CLAIM_INTERVAL_MS);
    expect({ submitted: world.submitted, left: mailbox.claims.count }).toEqual({ submitted: [], left: 3 });
  });

  it("survive the node, and end with it", async () => {
    deliver(alice, 0, 3, 2_000);
    mailbox.close();
    mailbox = openMailbox(folder.path);
    const stop = start();
    expect(batches()).toEqual([3]);
    stop();
    world.commit();
    expect({ timers: world.time.pending, listeners: world.listeners }).toEqual({ timers: 0, listeners: 0 });
  });
});
