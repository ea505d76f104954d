// Composition root of the node: data folder → chain → relay → interface. Stopped in reverse.
import { join } from "node:path";
import { PublicReads } from "#node/api/reads/public-reads.ts";
import type { ApiServer } from "#node/api/server.ts";
import type { ApiServices } from "#node/api/services.ts";
import { readVersion } from "#node/config/build-info.ts";
import type { DataFolder } from "#node/config/files/data-folder.ts";
import type { FullNodeMode, NodeConfig } from "#node/config/node-config.ts";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import type { Evidence } from "#node/consensus/effects.ts";
import type { ThreadedVerifier } from "#node/crypto/threaded-verifier.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import type { DutyContext } from "#node/duties/duty-context.ts";
import { EvidencePool } from "#node/duties/evidence-pool.ts";
import { decidedChain, misconductOf } from "#node/duties/false-blocks.ts";
import { LiePool } from "#node/duties/lie-pool.ts";
import { startDuties, storeEvidence, storeMisconduct } from "#node/duties/node-duties.ts";
import { maintainRelayRegistration } from "#node/duties/relay-registration.ts";
import { RequestedDuties } from "#node/duties/requested-duties.ts";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import { readPendingUpgrade } from "#node/ledger/records/params-records.ts";
import { LightServer } from "#node/light/server/light-server.ts";
import { restorePending, savePending } from "#node/mempool/pending-file.ts";
import { openContractWatch } from "#node/observability/contract-watch.ts";
import type { Log } from "#node/observability/log.ts";
import type { ArchiveReads } from "#node/queries/archive-reads.ts";
import type { KeeperDirectories } from "#node/queries/keeper-directories.ts";
import { forgetForeignClaims } from "#node/relay/foreign-claims.ts";
import type { HeldMail } from "#node/relay/intake/held-mail.ts";
import type { MailDirectory } from "#node/relay/keepers/placing/mail-directory.ts";
import type { Relay } from "#node/relay/relay.ts";
import type { RelayNetwork } from "#node/relay/relay-network.ts";
import { type OpenedSigner, openRemoteSigner, suspensionVoter } from "#node/signer/client/open-remote-signer.ts";
import { createBlockWriter } from "#node/storage/chain/block-writer.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { type MailboxRepository, openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { API_VERSION } from "#shared/api/version.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import { KNOWN_VERSIONS } from "#shared/protocol/primitives/limits.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";
import { type Chain, openChain } from "./chain.ts";
import { chainEvents } from "./changes/chain-events.ts";
import { followDirectories } from "./changes/followed-directories.ts";
import { holdDirectories } from "./changes/held-directories.ts";
import { UpgradeNotice } from "./changes/upgrade-notice.ts";
import { signerInForce, watchKey } from "./changes/validator-key.ts";
import { type DescribedNode, describeNode } from "./describe-node.ts";
import { Faucet } from "./faucet.ts";
import { openArchive } from "./history/archive.ts";
import { backfillRules } from "./history/backfill.ts";
import { openUpToDate } from "./history/open-up-to-date.ts";
import { openOldBlocks } from "./history/sealing.ts";
import { startEngine, takeUpUnknownFiles } from "./history/taken-up.ts";
import { findJoin } from "./joining/find-join.ts";
import { startJoiningNode } from "./joining/joining-node.ts";
import { startLightNode } from "./light-node.ts";
import { type MailNetwork, type MailNetworkDependencies, openMailNetwork } from "./network/mail-network.ts";
import { PeerLink } from "./network/peer-link.ts";
import { Peers, type PeersDependencies } from "./network/peers.ts";
import { openSnapshots } from "./network/snapshots.ts";
import {
  callRelayService,
  cardRules,
  mailRules,
  type NodeDependencies,
  openFolder,
  openHeldMail,
  openPublicCards,
  openRelay,
  openVerifier,
  type ReadyNode,
  removeUnfinishedWork,
  serveInterface,
  updateService,
  webServices,
} from "./node-start.ts";
import { heavyReads, openContractProcess, openReadThread } from "./reads/node-reads.ts";
import { gatewayFeed, type OperatorFeeds, openFeeds } from "./reads/operator-feeds.ts";
import type { ReadThread } from "./reads/read-thread.ts";

/** A node of one configuration, started once. */
export interface ParleyNode {
  /** Opens everything and serves. @throws CodedError in words; everything opened is closed again. */
  start(): Promise<ReadyNode>;
  /** Closes everything in reverse order. Safe to call at any time, and twice. */
  stop(): Promise<void>;
}

/** A node that is not started yet; nothing is opened. */
export function createNode(config: NodeConfig, dependencies: NodeDependencies): ParleyNode {
  const opened = new AsyncDisposableStack();
  return {
    async start(): Promise<ReadyNode> {
      try {
        return await startIn(config, dependencies, opened);
      } catch (error) {
        await opened.disposeAsync();
        throw error;
      }
    },
    stop: () => opened.disposeAsync(),
  };
}

/** Every step puts its undoing on `opened`, which runs them from the last to the first. */
async function startIn(config: NodeConfig, dependencies: NodeDependencies, opened: AsyncDisposableStack): Promise<ReadyNode> {
  const { mode } = config;
  if (mode === "light") return await startLightNode(config, dependencies, opened);
  const full = { ...config, mode };
  const join = await findJoin(full, dependencies);
  if (join === undefined) return await startFullNode(full, dependencies, opened);
  return await startJoiningNode({ config: full, dependencies, join, startFull: startFullNode }, opened);
}

async function startFullNode(
  config: NodeConfig & { readonly mode: FullNodeMode | undefined },
  start: NodeDependencies,
  opened: AsyncDisposableStack,
): Promise<ReadyNode> {
  const { log, onFatal: onFailure, onKeyReplaced, snapshotRule, secret, named, knownVersions = KNOWN_VERSIONS } = start;
  const { onFatal, hasFailed } = rememberFailure(onFailure);
  const startedAtMs = systemClock.monotonicMs();
  const folder = await openFolder(config, opened);
  const { chain_id: chainId } = folder.genesis;
  removeUnfinishedWork(folder, log);
  const identity = { chainId, genesisHash: folder.genesisHash };
  const database = await openUpToDate(config.dataDir, identity, start);
  opened.defer(() => database.close());
  const writer = opened.adopt(createBlockWriter({ directory: config.dataDir, identity }), (blocks) => blocks.stop());
  const { sealer, ...old } = opened.adopt(openOldBlocks(database, log, { ...config, named }), (blocks) => blocks.stop());
  const mailbox = opened.adopt(openMailbox(config.dataDir, config.mailDiskBytes), (store) => store.close());
  const verify = createNativeVerifier();
  if (database.blocks.tipHeight() === undefined) carryMail(folder, mailbox, verify);
  const { verifyLater, isAcceptableKeyLater } = openVerifier(verify, onFatal, opened);
  const { evidence, onEvidence, accuse } = openEvidence(folder, database, { verify, log });
  const link = config.p2p === undefined ? null : new PeerLink();
  const wiring = { verify, verifyLater, isAcceptableKeyLater, clock: systemClock, onFatal, onEvidence, onFalseBlock: accuse };
  const runs = openContractRuns(folder, log, opened);
  const signer = openSigner(config, { folder, database, verify, log }, opened);
  const options = { folder, database, knownVersions, writer, sealer, mode: config.mode, signer: signer?.client, log, peers: link };
  const chain = openChain({ ...options, ...wiring, ...runs });
  old.follow(chain.executor);
  watchKey(chain.executor, { own: signer?.client.publicKey ?? folder.nodeKey.publicKey, config, log, onNext: onKeyReplaced });
  const relay = openRelay(folder, mailbox, { verify: verifyLater, log, ...mailRules(config, chain.executor) });
  await takeUpUnknownFiles({ database, executor: chain.executor, sealer, log, signal: start.signal });
  await keepPending(folder, chain, { log, hasFailed }, opened);
  startEngine(chain, opened);
  opened.defer(() => relay.close());
  const changes = watchChanges(chain, { knownVersions, log }, opened);
  const lies = new LiePool(join(folder.paths.consensus, "lies.json"), log.child("duties"));
  const ofMail = { directory: changes.directory, usesCarriers: config.usesCarriers, verify: verifyLater };
  const relayNetwork = openMail({ folder, chain, relay, mailbox, lies, log, ...ofMail }, opened);
  const reads = openReadThread(config.dataDir, (error) => database.history.noteError(error));
  opened.defer(() => reads.stop());
  const publicReads = new PublicReads();
  const light = createLightServer({ chain, reads, publicReads, accuse, log });
  const snapshots = openSnapshots(config, { folder, database, chain, reads, log, rule: snapshotRule }, opened);
  const own = { folder, database, chain, relay: relayNetwork, light, snapshots: snapshots.server, verify, log, validator: signer?.seat };
  const peers = await joinPeers(config, { ...own, ...old }, link, opened);
  const backfill = backfillRules(config, { ...old, sealer, isCatchingUp: () => peers?.isCatchingUp === true });
  const archive = openArchive({ ...own, network: peers?.requests, knownVersions, backfill, accounts: config.own }, opened);
  old.drop(archive.requester, () => ({
    ...{ snapshots: snapshots.server.heights(), promisedS: chain.executor.params.retention_s },
    peers: () => peers?.requests.peers() ?? [],
  }));
  const dependencies: NodeServices = {
    ...{ folder, database, chain, ...runs },
    ...{ signer: signer?.client, lies },
    ...{ relay, ...openFeeds(config.dataDir, opened), snapshots, peers, reads },
    ...{ typing: relayNetwork.typing, cards: relayNetwork.cards, heldMail: openHeldMail(folder, relay, log, opened) },
    ...archive,
    ...{ verify: verifyLater, updateUrl: config.updateUrl },
    keptHistory: () => old.describe(archive.older),
    ...{ ...changes, startedAtMs, log },
    ...(await callRelayService(config, log, opened)),
  };
  opened.defer(announceRelay(config, dependencies));
  opened.defer(startNodeDuties(config, dependencies, { evidence, mailbox }));
  const onServer = ({ handlers }: ApiServer): void => publicReads.attach(handlers);
  const served = await serveInterface(config, { folder, services: apiServices(dependencies), onServer, secret }, opened);
  return { chainId, mode: chain.mode, ...served };
}

type MailParts = Omit<MailNetworkDependencies, "cards" | "holdsCardsOfOthers" | "onContradiction"> & {
  readonly folder: DataFolder;
  readonly chain: Chain;
  readonly lies: LiePool;
};

/** Mail and public cards among nodes. */
function openMail({ chain, lies, ...dependencies }: MailParts, opened: AsyncDisposableStack): MailNetwork {
  const { folder, verify } = dependencies;
  const cards = openPublicCards(folder, { verify, ...cardRules(chain.executor) }, opened);
  const onContradiction = (found: DigestContradiction): void => void lies.add(found, systemClock.nowMs());
  return openMailNetwork({ ...dependencies, cards, holdsCardsOfOthers: true, onContradiction }, opened);
}

/** Changes of the rules, and of who keeps mail. */
function watchChanges(
  { executor }: Chain,
  { knownVersions, log }: { readonly knownVersions: readonly number[]; readonly log: Log },
  opened: AsyncDisposableStack,
): Pick<NodeServices, "directories"> & { readonly upgrades: UpgradeNotice; readonly directory: MailDirectory } {
  const upgrades = new UpgradeNotice(knownVersions, log);
  const look = (): void => upgrades.look(readPendingUpgrade(executor.state));
  executor.onCommit(look);
  look();
  const directories = opened.adopt(followDirectories(executor, log), (followed) => followed.stop());
  return { upgrades, directories, directory: holdDirectories(directories) };
}

/** What waits is there again after a restart. */
async function keepPending(
  { paths: { pending } }: DataFolder,
  { mempool }: Chain,
  { log, hasFailed }: { readonly log: Log; readonly hasFailed: () => boolean },
  opened: AsyncDisposableStack,
): Promise<void> {
  await restorePending(pending, (raw) => mempool.submit(raw, systemClock.nowMs()), log);
  // What a node failed at may be among them: it is not taken in again by itself.
  opened.defer(() => (hasFailed() ? undefined : savePending(pending, mempool.all(), log)));
}

/** Where the validator's key is, unless this node has it or does not vote. */
function openSigner(
  { mode, ...signers }: NodeConfig,
  { folder, database, ...dependencies }: Pick<NodeServices, "folder" | "database" | "log"> & { readonly verify: VerifySignature },
  opened: AsyncDisposableStack,
): OpenedSigner | undefined {
  const signer = signerInForce(signers, folder.nodeKey.publicKey, database.state);
  if (signer === undefined || mode === "full") return undefined;
  const remote = openRemoteSigner(signer, folder, dependencies);
  opened.defer(() => remote.client.close());
  opened.defer(() => remote.seat.close());
  return remote;
}

/** What runs contracts: this thread for blocks, a process for requests. */
function openContractRuns(folder: DataFolder, log: Log, opened: AsyncDisposableStack): Pick<DescribedNode, "watch" | "contracts"> {
  const watch = opened.adopt(openContractWatch(folder.paths.root, "chain", log), ({ marks }) => marks.close());
  const contracts = openContractProcess(folder, log);
  opened.defer(() => contracts.stop());
  return { watch, contracts };
}

/** Passes failures on, and says whether there was one. */
function rememberFailure(
  onFailure: NodeDependencies["onFatal"],
): Pick<NodeDependencies, "onFatal"> & { readonly hasFailed: () => boolean } {
  let hasFailed = false;
  const onFatal = (error: unknown): void => {
    hasFailed = true;
    onFailure(error);
  };
  return { onFatal, hasFailed: () => hasFailed };
}

interface EvidenceSinks {
  readonly evidence: EvidencePool;
  readonly onEvidence: (found: Evidence) => void;
  /** Stores what a block beside the chain proves; how many of its signers are guilty. */
  readonly accuse: (block: LightBlock) => number;
}

/** Where contradictions go that this node sees. */
function openEvidence(
  { paths, genesis }: DataFolder,
  database: ChainDatabase,
  { verify, log }: { readonly verify: VerifySignature; readonly log: Log },
): EvidenceSinks {
  const evidence = new EvidencePool(join(paths.consensus, "evidence.json"), log.child("duties"));
  const chain = decidedChain(genesis.chain_id, database, verify);
  return {
    evidence,
    onEvidence: (found) => storeEvidence(evidence, found, database.validatorSets.at(found.first.height), systemClock.nowMs()),
    accuse: (block) => storeMisconduct(evidence, misconductOf(block, chain), systemClock.nowMs()),
  };
}

/** The mailbox of a chain that continues another one may have come from there. */
function carryMail({ genesis }: DataFolder, { claims }: MailboxRepository, verify: VerifySignature): void {
  if (genesis.previous !== undefined) forgetForeignClaims(claims, genesis.chain_id, verify);
}

interface NodeServices extends DescribedNode, OperatorFeeds, Pick<ApiServices, "callRelay"> {
  readonly lies: LiePool;
  readonly archive: ArchiveReads | undefined;
  /** Which relays keep mail, from the newest epoch and the one before. */
  readonly directories: KeeperDirectories;
  readonly relay: Relay;
  readonly heldMail: HeldMail;
  readonly typing: RelayNetwork["typing"];
  readonly cards: ApiServices["cards"];
  readonly reads: ReadThread;
  readonly verify: ThreadedVerifier["verify"];
  readonly updateUrl: string | undefined;
  readonly log: Log;
}

/** Meets the other nodes, when there are to be any. */
async function joinPeers(
  { p2p }: NodeConfig,
  dependencies: Omit<PeersDependencies, "p2p" | "link" | "versions" | "clock">,
  link: PeerLink | null,
  opened: AsyncDisposableStack,
): Promise<Peers | null> {
  if (p2p === undefined || link === null) return null;
  const versions = { version: readVersion().nodeVersion, apiVersion: API_VERSION };
  const peers = new Peers({ ...dependencies, p2p, link, versions, clock: systemClock });
  opened.defer(() => peers.stop());
  await peers.start();
  return peers;
}

/** What this node answers to nodes that hold no chain. */
function createLightServer({
  chain,
  reads,
  publicReads,
  accuse,
  log,
}: Pick<NodeServices, "chain" | "reads" | "log"> & {
  readonly publicReads: PublicReads;
  readonly accuse: (block: LightBlock) => number;
}): LightServer {
  return new LightServer({
    read: (request) => reads.readLight(request),
    readPublic: (operation, input) => publicReads.read(operation, input),
    submit: (transaction) => chain.submit(transaction, systemClock.nowMs()),
    accuse,
    clock: systemClock,
    log: log.child("light"),
  });
}

function apiServices(dependencies: NodeServices): ApiServices {
  const { chain, database, watch, relay, verify } = dependencies;
  const faucet = createFaucet(dependencies);
  return {
    node: describeNode(dependencies),
    ...createReadQueries(database, systemClock, watch),
    mempool: {
      get size(): number {
        return chain.mempool.size;
      },
      get bytes(): number {
        return chain.mempool.bytes;
      },
      get: (id) => chain.mempool.get(id),
      submit: chain.submit,
    },
    relay,
    cards: dependencies.cards,
    heldMail: dependencies.heldMail,
    mailFeed: gatewayFeed(dependencies.mailFeed, relay),
    chainFeed: dependencies.chainFeed,
    typing: dependencies.typing,
    events: chainEvents(dependencies),
    heavyReads: heavyReads(dependencies.reads, dependencies.contracts),
    archive: dependencies.archive,
    ...(faucet === undefined ? {} : { faucet }),
    duties: new RequestedDuties({
      ...nodeAccount(dependencies, "duties"),
      bondUt: dependencies.folder.genesis.params.validator_bond_ut,
      votesWithSigner: dependencies.signer !== undefined,
    }),
    ...updateService(dependencies),
    ...webServices(),
    ...(dependencies.callRelay && { callRelay: dependencies.callRelay }),
    verify,
    clock: systemClock,
    random: systemRandom,
    log: dependencies.log.child("api"),
  };
}

function createFaucet({ folder, chain }: NodeServices): Faucet | undefined {
  if (folder.faucetKey === undefined) return undefined;
  return new Faucet({
    chainId: folder.genesis.chain_id,
    key: folder.faucetKey,
    leastFeeUt: () => chain.executor.params.min_fee_ut,
    submit: (tx) => chain.submit(tx, systemClock.nowMs()),
    isPending: (id) => chain.mempool.get(id) !== undefined,
    clock: systemClock,
    random: systemRandom,
  });
}

/** Announces the relay when the configuration asks for it; returns the way to stop. */
function announceRelay({ relayFeeUt }: NodeConfig, dependencies: NodeServices): () => void {
  if (relayFeeUt === undefined) return () => undefined;
  return maintainRelayRegistration({
    ...nodeAccount(dependencies, "relay"),
    relayPub: dependencies.relay.publicKey,
    feePerMessageUt: relayFeeUt,
  });
}

/** What the node does on the chain by itself; returns the way to stop. */
function startNodeDuties(
  { heartbeatMs }: NodeConfig,
  dependencies: NodeServices,
  { evidence, mailbox }: { readonly evidence: EvidencePool; readonly mailbox: MailboxRepository },
): () => void {
  const { chain, relay, lies } = dependencies;
  const { executor } = chain;
  return startDuties({
    ...nodeAccount(dependencies, "duties"),
    pool: evidence,
    lies,
    voter: dependencies.signer && suspensionVoter(dependencies.signer),
    chainNow: () => ({ timeMs: executor.tip().timeMs, version: executor.params.version }),
    onTransactions: (listener) => chainEvents(dependencies).onCommit(({ block }) => listener(block.transactions)),
    timers: systemTimers,
    intervalMs: heartbeatMs,
    claims: mailbox.claims,
    onEnvelope: (listener) => relay.onEnvelope(listener),
    tipHeight: () => executor.tip().height,
    pending: () => chain.mempool.all(),
  });
}

/** The node as a sender of transactions. */
function nodeAccount(dependencies: NodeServices, module: string): DutyContext {
  const { folder, database, chain, log } = dependencies;
  return {
    chainId: folder.genesis.chain_id,
    key: folder.nodeKey,
    state: database.state,
    leastFeeUt: () => chain.executor.params.min_fee_ut,
    submit: (tx) => chain.submit(tx, systemClock.nowMs()),
    isPending: (id) => chain.mempool.get(id) !== undefined,
    onCommit: (listener) => chainEvents(dependencies).onCommit(listener),
    clock: systemClock,
    random: systemRandom,
    log: log.child(module),
  };
}
