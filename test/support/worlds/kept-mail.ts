// A node whose clients' mail goes to its keepers alone, three and as many that stand in as asked for: real queue, sender, mailboxes and
// services of keepers, on virtual time.
import { expect, onTestFinished } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { createLog } from "#node/observability/log.ts";
import { NO_EXCHANGE, type OutgoingMail, type QueueFigures } from "#node/relay/intake/outgoing-mail.ts";
import { KeeperDoubts } from "#node/relay/keepers/doubts/keeper-doubts.ts";
import { ReceiptAudit } from "#node/relay/keepers/doubts/receipt-audit.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "#node/relay/keepers/keeper-limits.ts";
import type { BoxKeepers } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { SlotMail } from "#node/relay/keepers/repair/slot-mail.ts";
import { MailSender } from "#node/relay/keepers/sending/mail-sender.ts";
import { type KeeperRequest, KeeperService } from "#node/relay/keepers/serving/keeper-service.ts";
import { MAILBOX_LIMITS, type MailboxLimits } from "#node/relay/mailbox-limits.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import { type MailQueue, openMailQueue } from "#node/storage/messages/mail-queue.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { pollUntil } from "../host/poll-until.ts";
import { createRandom } from "../host/random.ts";
import { createTemporaryFolder } from "../host/temporary-folder.ts";
import { VirtualTime } from "../host/virtual-time.ts";
import { keeperOf } from "../nodes/mail-keepers.ts";
import { actor, CHAIN_ID } from "./ledger-world.ts";
import { MAIL_START_SEC, type MailNode, mailNode } from "./mail-world.ts";

/** What the world is made of. */
export interface KeptMail {
  readonly sending: MailNode;
  readonly keepers: readonly MailNode[];
  readonly queue: MailQueue;
  readonly sender: MailSender;
  readonly doubts: KeeperDoubts;
  /** Not started. */
  readonly audit: ReceiptAudit;
  /** What a keeper responds instead, by its number; a test may lie. */
  readonly twisted: Map<number, (request: MailRequest) => MailResponse | undefined>;
  readonly time: VirtualTime;
  /** Bytes of contents that were put to keepers. */
  readonly putBytes: number;
  /** Asks each keeper, in the name of a node. */
  askAll(request: MailRequest, from?: string): Promise<readonly (MailResponse | undefined)[]>;
  /** Sets the node's own clock back, but not those of its keepers. */
  setBack(byMs: number): void;
  /** Lets time pass until something holds. */
  until(holds: () => boolean): Promise<void>;
}

/** Makes it; it ends with the test. */
export async function keptMail(
  limits: Partial<MailboxLimits> = {},
  queueBytes?: number,
  { standIns = 0, keeperLimits = {} }: { readonly standIns?: number; readonly keeperLimits?: Partial<KeeperLimits> } = {},
): Promise<KeptMail> {
  const doubtLimits = { ...KEEPER_LIMITS, ...keeperLimits };
  const time = new VirtualTime();
  let setBackMs = 0;
  const real = time.clock(MAIL_START_SEC * 1_000);
  const clock = { ...real, nowMs: (): number => real.nowMs() - setBackMs };
  const folder = await createTemporaryFolder();
  const queue = openMailQueue(folder.path, queueBytes);
  const sending = await mailNode(limits);
  const keepers: MailNode[] = [];
  while (keepers.length < KEEPER_RULES.keeping + standIns) keepers.push(await mailNode(limits));
  const listed = keepers.map((_, n) => keeperOf(n + 1, `/ip4/8.8.${n + 1}.1/tcp/1`));
  const services = keepers.map((node, n) => serviceOf(node, n + 1, { time, listed }));
  const twisted: KeptMail["twisted"] = new Map();
  let putBytes = 0;
  const ask = async (n: number, request: MailRequest, from: string): Promise<MailResponse | undefined> => {
    if (request.type === "put") for (const { envelope } of request.items) putBytes += envelope.ciphertext.length;
    return twisted.get(n)?.(request) ?? (await services[n]?.respond(request as KeeperRequest, from));
  };
  const ranks = {
    keepersOf: (): BoxKeepers => ({
      keeping: listed.slice(0, KEEPER_RULES.keeping),
      standingIn: listed.slice(KEEPER_RULES.keeping),
      draining: [],
    }),
    isKeeper: (key: PublicKeyHex): boolean => listed.some((keeper) => keeper.key === key),
  };
  const shared = {
    ...{
      chainId: CHAIN_ID,
      clock,
      timers: time,
      verify: createNativeVerifier(),
      log: createLog("json", { write: () => undefined }),
      ranks,
    },
    ask: async (keeper: PublicKeyHex, request: MailRequest): Promise<MailResponse> =>
      (await ask(
        listed.findIndex(({ key }) => key === keeper),
        request,
        "sending",
      )) ?? { type: "busy" },
  };
  const memory = queue.doubts;
  const limited = { limits: doubtLimits, clock, onError: (error: unknown): never => expect.unreachable(String(error)) };
  const doubts = new KeeperDoubts({ memory, keepers: (): readonly Keeper[] => listed, ...limited });
  const drawn = createRandom(7);
  const random = (length: number): Uint8Array => Uint8Array.from({ length }, () => drawn.between(0, 255));
  const audit = new ReceiptAudit({
    ...{ ...shared, relay: sending.relay, store: sending.store, ownKey: actor(99).pub, memory, doubts, limits: doubtLimits },
    ...{ isActive: (): boolean => true, retentionMs: MAILBOX_LIMITS.retentionMs, random },
  });
  const sender = new MailSender({
    ...{ ...shared, queue },
    openingOf: (box): BoxOpening | undefined => sending.relay.boxes.find(box)?.opening,
    counts: (keeper): boolean => doubts.counts(keeper),
    onReceipt: (keeper, item): void => audit.note(keeper, item),
  });
  const outgoing: OutgoingMail = {
    ...{ exchange: NO_EXCHANGE, elsewhere: undefined, ways: { gossip: false, keepers: true } },
    get figures(): QueueFigures {
      return sender.figures;
    },
    put: (...given): Promise<void> => sender.put(...given),
    learnOpening: (): Promise<void> => Promise.resolve(),
    own: (): Promise<ReadonlySet<string>> => Promise.resolve(new Set<string>()),
    sendTyping: (): void => undefined,
    onReaders: (): void => undefined,
  };
  sending.relay.sendThrough(outgoing);
  onTestFinished(async () => {
    audit.close();
    sender.close();
    for (const service of services) service.close();
    queue.close();
    await folder.remove();
  });
  sender.start();
  return {
    ...{ sending, keepers, queue, sender, doubts, audit, twisted, time },
    get putBytes(): number {
      return putBytes;
    },
    askAll: (request, from = "other"): Promise<readonly (MailResponse | undefined)[]> =>
      Promise.all(keepers.map((_, n) => ask(n, request, from))),
    setBack: (byMs): void => {
      setBackMs += byMs;
    },
    until: async (holds): Promise<void> => {
      await pollUntil(
        () => {
          time.advance(KEEPER_LIMITS.tickMs);
          return holds();
        },
        { intervalMs: 2 },
      );
    },
  };
}

function serviceOf(
  { relay, store }: MailNode,
  number: number,
  { time, listed }: { readonly time: VirtualTime; readonly listed: readonly Keeper[] },
): KeeperService {
  const { pub: publicKey, seed: secret } = actor(number);
  return new KeeperService({
    ...{ chainId: CHAIN_ID, key: { publicKey, secret }, relay, store, timers: time, clock: time.clock(MAIL_START_SEC * 1_000) },
    ...{ retentionMs: MAILBOX_LIMITS.retentionMs, scope: "cd".repeat(16) },
    slotMail: (): SlotMail => new SlotMail({ relay, store }),
    ranks: {
      isKeeper: (): boolean => true,
      isKeeperOfSlot: (): boolean => true,
      isRanked: (): boolean => true,
      find: (key): Keeper | undefined => listed.find((keeper) => keeper.key === key),
      epoch: 1,
    },
    sourceOf: (peer): MailSource => ({ party: `node ${peer}`, tag: "" }),
    ask: (): Promise<never> => Promise.reject(new Error("no other keeper is asked")),
    tell: (): Promise<void> => Promise.resolve(),
  });
}
