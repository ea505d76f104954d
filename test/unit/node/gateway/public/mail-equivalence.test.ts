// Mailboxes in PostgreSQL against those in SQLite: whatever clients do, both take, refuse, displace and list the same.
import { expect, it, onTestFinished } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import type { MailClient, MailService } from "#node/relay/intake/mail-service.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { createRelay } from "#node/relay/relay.ts";
import { openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { type Envelope, feeSignBytes } from "#shared/protocol/mail/envelope.ts";
import { envelopeId } from "#shared/protocol/mail/envelope-id.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { mailStores } from "#test/support/postgres/mail-stores.ts";
import { alice, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const START_SEC = 1_800_000_000;
const STEPS = 500;
const LIMITS = {
  ...MAILBOX_LIMITS,
  recipientEnvelopes: 8,
  recipientBytes: 12_000,
  postageEnvelopes: 2,
  sourceDayBytes: 9_000,
  boxEnvelopes: 4,
  boxBytes: 8_000,
  sourceBoxes: 2,
  totalBytes: 30_000,
};
const POSTAGE = { leastFeeUt: 5, canPay: (_sender: string, amountUt: number): boolean => amountUt < 60 };
const owners = [1, 2, 3, 4].map((n) => mailboxOwner(CHAIN_ID, n));
const writer = boxWriter(CHAIN_ID, 20);
const stores = mailStores();

/** What one step did: a result that both must give. */
type Step = (mail: MailService) => unknown;

it("are the same after every step of many random ones", async () => {
  const folder = await createTemporaryFolder();
  const clock = { nowSec: START_SEC, nowMs: (): number => clock.nowSec * 1_000, monotonicMs: (): number => 0 };
  const shared = {
    chainId: CHAIN_ID,
    clock,
    random: (length: number): Uint8Array => new Uint8Array(length).fill(4),
    verify: createNativeVerifier(),
  };
  const store = openMailbox(folder.path);
  const sqlite = createRelay({ ...shared, secretKey: new Uint8Array(32).fill(3), store, limits: LIMITS, postage: POSTAGE });
  const opened = await stores[1]?.[1]?.({ ...shared, limits: LIMITS, postage: POSTAGE });
  if (opened === undefined) throw new Error("There are no mailboxes in PostgreSQL");
  onTestFinished(async () => {
    await opened.close();
    sqlite.close();
    store.close();
    await folder.remove();
  });
  const { between } = createRandom(7);
  const random = (below: number): number => between(0, Math.max(0, below - 1));
  const known: Envelope[] = [];
  const seen = new Map<string, number>();
  for (let n = 0; n < STEPS; n += 1) {
    clock.nowSec += random(3) === 0 ? 3_000 : 1;
    const [name, step] = nextStep(n, random, known, clock.nowSec);
    const [one, other] = [await outcomeOf(step, sqlite), await outcomeOf(step, opened.mail)];
    expect([n, name, other]).toEqual([n, name, one]);
    expect([n, name, await listsOf(opened.mail)]).toEqual([n, name, await listsOf(sqlite)]);
    const kind = `${name} ${String(one)}`;
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
  }
  // Nothing above is equal because nothing happened.
  const expected = [
    "write stored",
    "write RELAY_FULL",
    "write RATE_LIMITED",
    "write MAILBOX_FULL",
    "write FORBIDDEN",
    "delete 1",
    "open opened",
  ];
  expect([...seen.keys()]).toEqual(expect.arrayContaining(expected));
}, 120_000);

type Random = (below: number) => number;

function nextStep(n: number, random: Random, known: Envelope[], nowSec: number): readonly [string, Step] {
  const owner = owners[random(owners.length)] ?? mailboxOwner(CHAIN_ID, 1);
  const client: MailClient = { party: `network ${random(4)}`, tag: `client ${random(2)}`, isLimited: random(4) > 0 };
  const kind = random(20);
  if (kind === 0) {
    const opening = owner.opening(writer.key, { untilSec: nowSec + 1 + random(20_000), height: n, read: "anyone" });
    return ["open", async (mail): Promise<string> => ((await mail.boxes.take(opening, client)).height === n ? "opened" : "kept")];
  }
  const old = known[random(known.length)];
  if (kind <= 3 && old !== undefined) {
    const deletion = mailboxOwner(CHAIN_ID, owners.findIndex(({ pub }) => pub === old.recipient_pub) + 1).deletion([old.id], 1);
    return ["delete", (mail): Promise<number> => mail.deletions.take(deletion)];
  }
  if (kind <= 5 && old !== undefined) return ["hide", async (mail): Promise<void> => await mail.hide(old.recipient_pub, old.id)];
  const isAgain = kind === 6 && old !== undefined;
  const envelope = isAgain
    ? old
    : newEnvelope(n, { recipientPub: owner.pub, bytes: 20 + random(2_500), feeUt: random(6) === 0 ? 5 + random(20) : 0 });
  known.push(envelope);
  const admit = random(3) === 0 ? undefined : writer.admit(envelope);
  const write: Step = async (mail) => {
    const isOpen = (await mail.boxes.find(envelope.recipient_pub)) !== undefined;
    await mail.broadcast(envelope, client, isOpen ? admit : undefined);
    return "stored";
  };
  return ["write", write];
}

function newEnvelope(
  n: number,
  { recipientPub, bytes, feeUt }: { readonly recipientPub: string; readonly bytes: number; readonly feeUt: number },
): Envelope {
  const nonce = new Uint8Array(24);
  new DataView(nonce.buffer).setUint32(0, n);
  const ciphertext = new Uint8Array(bytes);
  const id = envelopeId(nonce, ciphertext);
  return {
    id,
    recipient_pub: recipientPub,
    sender_pub: "cc".repeat(32),
    sender_ed25519_pub: feeUt > 0 ? alice.pub : "",
    fee_ut: feeUt,
    fee_sig: feeUt > 0 ? toBase64(signEd25519(feeSignBytes(CHAIN_ID, id, feeUt), alice.seed)) : null,
    nonce: toBase64(nonce),
    ciphertext: toBase64(ciphertext),
    sent_at: START_SEC,
  };
}

async function outcomeOf(step: Step, mail: MailService): Promise<unknown> {
  try {
    return await step(mail);
  } catch (error) {
    if (isCodedError(error)) return error.code;
    throw error;
  }
}

async function listsOf(mail: MailService): Promise<readonly unknown[]> {
  const lists: unknown[] = [];
  for (const { pub } of owners)
    for (const hidesDeleted of [false, true]) {
      const { items, count, hasMore } = await mail.listText({ recipientPub: pub, limit: 100, hidesDeleted });
      const ids = (JSON.parse(`[${items}]`) as readonly { readonly seq: number }[]).map(({ seq: _, ...item }) => item);
      lists.push([pub, ids, count, hasMore, await mail.count(pub, hidesDeleted)]);
    }
  return lists;
}
