// The HTTP interface over real parts: chain, explorer, pool and mailbox on disk, one validator, blocks on demand of the test.

import type { ApiOptions } from "#node/api/options.ts";
import { type ApiServer, createApiServer } from "#node/api/server.ts";
import type { ApiServices } from "#node/api/services.ts";
import { cardRules } from "#node/composition/node-start.ts";
import { gatewayFeed } from "#node/composition/reads/operator-feeds.ts";
import { systemRandom } from "#node/config/system-clock.ts";
import { AcceptableKeys } from "#node/crypto/acceptable-key-cache.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { type BlockExecutor, createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import { Mempool } from "#node/mempool/mempool.ts";
import { createLog, type Log } from "#node/observability/log.ts";
import { HELD_BOUNDS, HeldMail } from "#node/relay/intake/held-mail.ts";
import type { MailService } from "#node/relay/intake/mail-service.ts";
import { CardExchange } from "#node/relay/keepers/card-exchange.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { PUBLIC_CARD_BOUNDS, PublicCards } from "#node/relay/owners/public-cards.ts";
import { createRelay, type Relay, type RelayOptions } from "#node/relay/relay.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { type ChainFeed, openChainFeed } from "#node/storage/chain/feed/chain-feed.ts";
import { openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { openMailFeed } from "#node/storage/mailbox/sharing/mail-feed.ts";
import { type HeldMailStore, openHeldMailStore } from "#node/storage/messages/held-mail-store.ts";
import { openPublicCardStore, type PublicCardStore } from "#node/storage/messages/public-card-store.ts";
import { createContractVm } from "#node/vm/contract-vm.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import type { Clock } from "#shared/util/clock.ts";
import { hostTimers } from "#shared/util/host.ts";
import { checkInjected } from "../api/checked-inject.ts";
import { commitNow, commitOf } from "../chain/test-chain.ts";
import { createTemporaryFolder } from "../host/temporary-folder.ts";
import { type Actor, GENESIS, START_MS, validator } from "./ledger-world.ts";

/** Time of the world: stands still until the test moves it. */
export interface WorldClock extends Clock {
  advance(durationMs: number): void;
}

/** A running interface with everything below it. */
export interface ApiWorld extends AsyncDisposable {
  /** Folder of its databases. */
  readonly directory: string;
  readonly server: ApiServer;
  readonly services: ApiServices;
  /** Mailboxes of the world, whatever they lie in. */
  readonly mail: MailService;
  /** The node's own; in a world with others the interface does not use it. */
  readonly relay: Relay;
  readonly executor: BlockExecutor;
  readonly clock: WorldClock;
  /** Lines of the log so far. */
  readonly logLines: readonly string[];
  /** Commits a block of all pending transactions. */
  commit(): Block;
}

/** Opens other mailboxes than the node's own. */
export type OpenWorldMail = (
  options: Pick<RelayOptions, "chainId" | "clock" | "random" | "verify" | "limits" | "postage">,
) => Promise<{ readonly mail: MailService; close(): Promise<void> }>;

/** Opens another explorer of contracts, tokens, NFTs and the search than the node's own. */
export type OpenWorldExplorer = (options: {
  readonly chainId: string;
  readonly chainFeed: ChainFeed;
}) => Promise<{ readonly services: Pick<ApiServices, "contracts" | "search">; close(): Promise<void> }>;

/** What a test may choose. */
export interface ApiWorldOptions {
  readonly explorer?: OpenWorldExplorer | undefined;
  readonly mail?: OpenWorldMail | undefined;
  readonly api?: Partial<ApiOptions>;
  readonly relay?: Partial<RelayOptions>;
  readonly genesis?: Genesis;
  /** All validators of the genesis, when it has more than one. */
  readonly validators?: readonly Actor[];
  /** Replaces services, for instance to let one fail. */
  readonly services?: Partial<ApiServices>;
}

/** Secret of the node's relay key. */
export const RELAY_SECRET: Uint8Array = new Uint8Array(32).fill(77);

const STARTED_AT_MS = 1_000;

/** Opens a world in a temporary folder. */
export async function createApiWorld(options: ApiWorldOptions = {}): Promise<ApiWorld> {
  const folder = await createTemporaryFolder("parley-api-");
  const genesis = options.genesis ?? GENESIS;
  const chainId = genesis.chain_id;
  const clock = createClock();
  const verify = createNativeVerifier();
  const keys = new AcceptableKeys();
  const isAcceptableKey = (publicKey: string): boolean => keys.isAcceptable(publicKey);
  const database = openChainDatabase(folder.path, { chainId, genesisHash: genesisHash(genesis) });
  const mailbox = openMailbox(folder.path);
  const mailFeed = openMailFeed(folder.path);
  const chainFeed = openChainFeed(folder.path);
  const mempool: Mempool = new Mempool(
    {
      chainId,
      get params() {
        return executor.params;
      },
      state: database.state,
      tip: () => executor.tip(),
      hasSeenId: (id) => executor.hasSeenId(id),
      vm: createContractVm({ sha256, verify }),
    },
    { verify, isAcceptableKey },
  );
  const executor = createBlockExecutor({ database, genesis, source: mempool, verify, isAcceptableKey });
  executor.onCommit((committed) => mempool.removeCommitted(committed, clock.nowMs()));
  const relay = createRelay({ chainId, secretKey: RELAY_SECRET, store: mailbox, clock, random: systemRandom, verify, ...options.relay });
  const { limits = MAILBOX_LIMITS } = options.relay ?? {};
  const opened = await options.mail?.({ chainId, clock, random: systemRandom, verify, limits });
  const explorer = await options.explorer?.({ chainId, chainFeed });
  const logLines: string[] = [];
  const log = createLog("json", { write: (line) => logLines.push(line) });
  const openCards = (): PublicCardStore => openPublicCardStore(folder.path, PUBLIC_CARD_BOUNDS);
  const cards = new PublicCards({ chainId, open: openCards, isThere: false, verify, ...cardRules(executor) });
  const heldMail = new HeldMail({
    ...{ relay, open: (): HeldMailStore => openHeldMailStore(folder.path, HELD_BOUNDS), isThere: false, clock, timers: hostTimers },
    onError: (error): never => {
      throw error;
    },
  });
  const services: ApiServices = {
    node: nodeDescription(genesis, executor),
    ...createReadQueries(database, clock),
    ...explorer?.services,
    mempool,
    relay: opened?.mail ?? relay,
    cards: aloneWith(cards, clock, log),
    heldMail,
    mailFeed: gatewayFeed(mailFeed, relay),
    chainFeed,
    events: executor,
    verify,
    clock,
    random: systemRandom,
    log,
    ...options.services,
  };
  const server = await createApiServer({ listenHost: "127.0.0.1", ...options.api }, services);
  checkInjected(server.app);
  const signers = [...(options.validators ?? [validator])]
    .sort((a, b) => (a.pub < b.pub ? -1 : 1))
    .map((who, index) => [index, who] as const);
  const commit = (): Block => {
    const { block } = executor.buildBlock({ timeMs: Math.max(clock.nowMs(), executor.tip().timeMs + 50), proposer: validator.pub });
    commitNow(executor, block, commitOf(block, signers, { size: signers.length }));
    return block;
  };
  return {
    directory: folder.path,
    server,
    services,
    mail: services.relay,
    relay,
    executor,
    clock,
    logLines,
    commit,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await server.close();
      await opened?.close();
      await explorer?.close();
      heldMail.close();
      cards.close();
      relay.close();
      mailFeed.close();
      chainFeed.close();
      mailbox.close();
      database.close();
      await folder.remove();
    },
  };
}

/** Cards of a node without any other one. */
function aloneWith(cards: PublicCards, clock: Clock, log: Log): CardExchange {
  const alone = { groups: [], copies: 1, isOwn: true };
  return new CardExchange({
    ...{ cards, clock, log, placesOf: () => ({ write: alone, read: alone }), epoch: (): number => 0 },
    mayHold: () => Promise.resolve(true),
    ask: () => Promise.reject(new Error("there is no other node")),
    onLie: () => undefined,
  });
}

function createClock(): WorldClock {
  let passedMs = 0;
  return {
    nowMs: () => START_MS + 10_000 + passedMs,
    monotonicMs: () => STARTED_AT_MS + passedMs,
    advance: (durationMs): void => {
      passedMs += durationMs;
    },
  };
}

function nodeDescription(genesis: Genesis, executor: BlockExecutor): ApiServices["node"] {
  const build = { tag: "v0", commit: "abc", date: "2026-01-01", dirty: "false" };
  return {
    chainId: genesis.chain_id,
    genesis,
    genesisHash: genesisHash(genesis),
    genesisTime: genesis.genesis_time,
    isDevelopment: genesis.development,
    mode: "validator",
    version: { node_version: "0.1.0", protocol_version: 1, features: ["chain_id"], chain_id: genesis.chain_id, build },
    startedAtMs: STARTED_AT_MS,
    sync: (): ReturnType<ApiServices["node"]["sync"]> => {
      const { height, timeMs } = executor.tip();
      return { state: "live", height, target_height: height, tip_time: new Date(timeMs).toISOString() };
    },
    keptHistory: () => ({ retain: "all", dropping: "off", accounts: [] }),
    consensus: {
      nodeKey: "00".repeat(32),
      validatorKey: "00".repeat(32),
      status: () => ({ round: 2, isValidator: true, isVoting: false }),
      validatorsAt: () => [],
      onLogSync: () => () => undefined,
    },
    peers: () => [{ id: "peer-1", version: "0.1.0" }],
    p2pAddresses: () => ["/ip4/192.0.2.1/tcp/9100/p2p/peer-0"],
    storage: () => ({ chain_bytes: 4_096, mailbox_bytes: 0, consensus_bytes: 512 }),
  };
}
