// Nodes with mailboxes over real libp2p that keep each other's mail, by a directory that the test gives them; and boxes with chosen ranks.
import { createHash } from "node:crypto";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import type { NetworkHandlers, PeerName } from "#node/network/peer-network.ts";
import { createLog } from "#node/observability/log.ts";
import { CardExchange, placesAtKeepers } from "#node/relay/keepers/card-exchange.ts";
import { KEEPER_LIMITS, type KeeperLimits } from "#node/relay/keepers/keeper-limits.ts";
import { KeeperMail } from "#node/relay/keepers/keeper-mail.ts";
import type { MailDirectory } from "#node/relay/keepers/placing/mail-directory.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { type NewestTime, PUBLIC_CARD_BOUNDS, PublicCards } from "#node/relay/owners/public-cards.ts";
import { createRelay, type Relay } from "#node/relay/relay.ts";
import { createRelayNetwork } from "#node/relay/relay-network.ts";
import { type MailboxRepository, openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { openMailQueue } from "#node/storage/messages/mail-queue.ts";
import { hasPublicCards, openPublicCardStore, type PublicCardStore } from "#node/storage/messages/public-card-store.ts";
import { dayOf } from "#shared/protocol/keepers/daily-seeds.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import type { MailMode } from "#shared/protocol/keepers/mail-mode.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import type { MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { toHex } from "#shared/util/bytes.ts";
import { actor, CHAIN_ID } from "../worlds/ledger-world.ts";
import { startNetwork, type TestNetwork, type TestNetworkOptions } from "./test-network.ts";

const SILENT = createLog("json", { write: () => undefined });
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Time for a response about a card, ms. */
const BUSY_MS = 30_000;

function relaySecretOf(n: number): Uint8Array {
  return new Uint8Array(32).fill(n);
}

/** A keeper of its own network and wallet; its key is that of actor n. */
export function keeperOf(n: number, multiaddr: string): Keeper {
  const { pub: key } = actor(n);
  return {
    key,
    x25519: toHex(boxKeyPair(relaySecretOf(n)).publicKey),
    multiaddr,
    wallet: key,
    network: `4 1.1.${n}`,
    weight: 1,
    salt: hashOf(`salt ${n}`),
  };
}

/** A directory of these keepers that began at a time, seconds. */
export function directoryOf(keepers: readonly Keeper[], beganS: number, mode: MailMode = { is: "keepers", tooFew: 0 }): ReadDirectory {
  const lastDay = dayOf(beganS);
  const seeds = Array.from({ length: 60 }, (_, n) => hashOf(`seed ${lastDay - 59 + n}`));
  const sorted = keepers.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return { epoch: Math.floor(beganS / 3_600), beganS, keepers: sorted, mode, seeds: { lastDay, seeds } };
}

/** A running node with a mailbox. */
export interface MailServiceNode extends AsyncDisposable {
  readonly relay: Relay;
  readonly store: MailboxRepository;
  readonly keeperMail: KeeperMail;
  /** Public cards of clients and of other nodes, and those that this node holds. The chain lists every device for everyone. */
  readonly cards: CardExchange;
  readonly held: PublicCards;
  readonly network: TestNetwork;
  /** Typing notices for clients of this node, by whom they name. */
  readonly typed: readonly string[];
  /** What other nodes asked of this one: directly, and as a carrier. */
  readonly asked: readonly { readonly from: PeerName; readonly type: string }[];
  /** A client of this node types. */
  type(to: string, from: string): void;
}

/** What a test may choose. */
export interface MailServiceOptions {
  /** Limits of repair and forgetting: tests wait less. */
  readonly limits?: Partial<KeeperLimits>;
  readonly network?: TestNetworkOptions;
}

/** Starts node number n in a folder, which it finds again when it is started once more there. */
export async function startMailService(
  n: number,
  folder: string,
  directory: MailDirectory,
  { limits = {}, network: options = {} }: MailServiceOptions = {},
): Promise<MailServiceNode> {
  const store = openMailbox(folder);
  const queue = openMailQueue(folder);
  const { pub: publicKey, seed: secret } = actor(n);
  const verify = createNativeVerifier();
  const given = { chainId: CHAIN_ID, store, clock: systemClock, random: systemRandom, verify };
  const relay = createRelay({ ...given, secretKey: relaySecretOf(n), height: () => 5_000 });
  const tie = createRelayNetwork({ relay, store, clock: systemClock, log: SILENT });
  const key = { publicKey, secret };
  const { retentionMs } = MAILBOX_LIMITS;
  const repair = { limits: { ...KEEPER_LIMITS, ...limits } };
  const typed: string[] = [];
  tie.typing.onNotice(({ from }) => typed.push(from));
  const keeperMail = new KeeperMail({
    ...given,
    key,
    directory,
    relay,
    queue,
    retentionMs,
    repair,
    timers: systemTimers,
    onTyping: (notice): void => tie.typing.receive(notice),
    relaySecret: relaySecretOf(n),
    usesCarriers: true,
    respondCard: (request, from): Promise<MailResponse | undefined> => cards.respond(request, from),
    log: SILENT,
  });
  relay.sendThrough(keeperMail);
  const ofChain = { newest: (): NewestTime => ({ height: 5_000, timeMs: Date.now() }), isListed: (): boolean => true };
  const open = (): PublicCardStore => openPublicCardStore(folder, PUBLIC_CARD_BOUNDS);
  const held = new PublicCards({ chainId: CHAIN_ID, open, isThere: hasPublicCards(folder), verify, ...ofChain });
  const none = { keeping: [], standingIn: [], draining: [] };
  const cards = new CardExchange({
    cards: held,
    placesOf: (device): ReturnType<typeof placesAtKeepers> => placesAtKeepers(keeperMail.keepersOf(device) ?? none, publicKey),
    mayHold: (device, from): Promise<boolean> => keeperMail.keeps(device, from),
    epoch: (): number => directory.currentDirectory()?.epoch ?? 0,
    // Where all nodes are in one busy process, a keeper may take longer than real ones are given, and others would have its cards.
    ask: (node, request): Promise<MailResponse> => keeperMail.ask(node, request, AbortSignal.timeout(BUSY_MS)),
    onLie: (node): void => network.network.report(peerNameOf(node), "lie"),
    clock: systemClock,
    log: SILENT,
  });
  const asked: { readonly from: PeerName; readonly type: string }[] = [];
  const mail: NonNullable<NetworkHandlers["mail"]> = async (request, from) => {
    asked.push({ from, type: request.type });
    return request.type === "card" ? await cards.respond(request, from) : await keeperMail.handlers.mail(request, from);
  };
  const carry: NonNullable<NetworkHandlers["carry"]> = async (request, from) => {
    asked.push({ from, type: request.type === "open" ? "carried" : request.type });
    return await keeperMail.handlers.carry(request, from);
  };
  const network: Awaited<ReturnType<typeof startNetwork>> = await startNetwork(n, {
    ...options,
    handlers: { ...tie.handlers, mail, carry },
  });
  const detach = [tie.attach(network.network), keeperMail.attach(network.network)];
  return {
    relay,
    store,
    cards,
    held,
    keeperMail,
    network,
    typed,
    asked,
    type: (to, from) => tie.typing.publish({ to, from }),
    async [Symbol.asyncDispose](): Promise<void> {
      for (const stop of detach) stop();
      await network[Symbol.asyncDispose]();
      relay.close();
      held.close();
      queue.close();
      store.close();
    },
  };
}
