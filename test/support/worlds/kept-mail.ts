// A node whose clients' mail goes to three keepers alone: real queue, sender, mailboxes and services of keepers, on virtual time.
import { onTestFinished } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { createLog } from "#node/observability/log.ts";
import { NO_EXCHANGE, type OutgoingMail, type QueueFigures } from "#node/relay/intake/outgoing-mail.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import type { BoxKeepers } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { SlotMail } from "#node/relay/keepers/repair/slot-mail.ts";
import { MailSender } from "#node/relay/keepers/sending/mail-sender.ts";
import { type KeeperRequest, KeeperService } from "#node/relay/keepers/serving/keeper-service.ts";
import { MAILBOX_LIMITS, type MailboxLimits } from "#node/relay/mailbox-limits.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import { type MailQueue, openMailQueue } from "#node/storage/messages/mail-queue.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { pollUntil } from "../host/poll-until.ts";
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
  readonly time: VirtualTime;
  /** Bytes of contents that were put to keepers. */
  readonly putBytes: number;
  /** Asks each keeper, in the name of a node. */
  askAll(request: MailRequest, from?: string): Promise<readonly (MailResponse | undefined)[]>;
  /** Lets time pass until something holds. */
  until(holds: () => boolean): Promise<void>;
}

/** Makes it; it ends with the test. */
export async function keptMail(limits: Partial<MailboxLimits> = {}, queueBytes?: number): Promise<KeptMail> {
  const time = new VirtualTime();
  const clock = time.clock(MAIL_START_SEC * 1_000);
  const folder = await createTemporaryFolder();
  const queue = openMailQueue(folder.path, queueBytes);
  const sending = await mailNode(limits);
  const keepers = [await mailNode(limits), await mailNode(limits), await mailNode(limits)];
  const listed = keepers.map((_, n) => keeperOf(n + 1, `/ip4/8.8.${n + 1}.1/tcp/1`));
  const services = keepers.map((node, n) => serviceOf(node, n + 1, { time, listed }));
  let putBytes = 0;
  const ask = async (n: number, request: MailRequest, from: string): Promise<MailResponse | undefined> => {
    if (request.type === "put") for (const { envelope } of request.items) putBytes += envelope.ciphertext.length;
    return await services[n]?.respond(request as KeeperRequest, from);
  };
  const sender = new MailSender({
    ...{
      chainId: CHAIN_ID,
      queue,
      clock,
      timers: time,
      verify: createNativeVerifier(),
      log: createLog("json", { write: () => undefined }),
    },
    ranks: { keepersOf: (): BoxKeepers => ({ keeping: listed, standingIn: [], draining: [] }) },
    ask: async (keeper, request): Promise<MailResponse> =>
      (await ask(
        listed.findIndex(({ key }) => key === keeper),
        request,
        "sending",
      )) ?? { type: "busy" },
    openingOf: (box): BoxOpening | undefined => sending.relay.boxes.find(box)?.opening,
    counts: (): boolean => true,
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
    sender.close();
    for (const service of services) service.close();
    queue.close();
    await folder.remove();
  });
  sender.start();
  return {
    ...{ sending, keepers, queue, sender, time },
    get putBytes(): number {
      return putBytes;
    },
    askAll: (request, from = "other"): Promise<readonly (MailResponse | undefined)[]> =>
      Promise.all(keepers.map((_, n) => ask(n, request, from))),
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
