// Composition of a light node: data folder → verified headers → peers → queries, mailbox and interface. Stopped in reverse.
import { existsSync, readFileSync } from "node:fs";
import type { ApiServices, NodeDescription } from "#node/api/services.ts";
import { readVersion } from "#node/config/build-info.ts";
import { type DataFolder, dataFolderPaths } from "#node/config/files/data-folder.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { fetchCheckpoint } from "#node/config/join-network.ts";
import type { NodeConfig } from "#node/config/node-config.ts";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { keyChecks } from "#node/crypto/key-checks.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import type { TrustedChain } from "#node/light/chain/trusted-chain.ts";
import type { NetworkLightPeers } from "#node/light/peers/network-light-peers.ts";
import type { VerifiedSource } from "#node/light/proofs/verified-source.ts";
import { describeJoining, describeLight, describeLightSync } from "#node/light/queries/describe-light.ts";
import { LightCalls } from "#node/light/queries/light-calls.ts";
import { LightEvents } from "#node/light/queries/light-events.ts";
import { LightPool } from "#node/light/queries/light-pool.ts";
import { createLightQueries } from "#node/light/queries/light-queries.ts";
import { createLightReader } from "#node/light/queries/light-reader.ts";
import { followProvenDirectories } from "#node/light/queries/proven-directories.ts";
import { checkUpgrades } from "#node/light/queries/upgrade-check.ts";
import { ProvenReads } from "#node/light/reads/proven-reads.ts";
import { storageSizes } from "#node/observability/storage-sizes.ts";
import { HeldDirectory } from "#node/relay/keepers/placing/held-directory.ts";
import type { NewestTime, PublicCardsDependencies } from "#node/relay/owners/public-cards.ts";
import { openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { API_VERSION } from "#shared/api/version.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Checkpoint, chooseCheckpoint, formatCheckpoint, parseCheckpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { KNOWN_VERSIONS } from "#shared/protocol/primitives/limits.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { UpgradeNotice } from "./changes/upgrade-notice.ts";
import { type LightFolder, openHeaders } from "./light-headers.ts";
import { LightNetwork } from "./network/light-network.ts";
import { openMailNetwork } from "./network/mail-network.ts";
import {
  callRelayService,
  type NodeDependencies,
  openFolder,
  openHeldMail,
  openPublicCards,
  openRelay,
  openVerifier,
  type ReadyNode,
  serveInterface,
  updateService,
  webServices,
} from "./node-start.ts";
import type { ContractProcess } from "./reads/contract-process.ts";
import { lightContractReads, lightTrials } from "./reads/light-contracts.ts";
import { openContractProcess } from "./reads/node-reads.ts";
import { versionInfo } from "./version-info.ts";

/** A node that follows the verified headers. */
export interface FollowingNode {
  readonly folder: DataFolder;
  readonly network: LightNetwork;
  readonly chain: TrustedChain;
  readonly source: Pick<VerifiedSource, "body">;
  readonly peers: NetworkLightPeers;
}

/** Starts a light node, which calls back once it follows the chain; every step puts its undoing on `opened`. @throws CodedError in words */
export async function startLightNode(
  config: NodeConfig,
  { log, onFatal, knownVersions = KNOWN_VERSIONS, secret, joining }: NodeDependencies,
  opened: AsyncDisposableStack,
  onFollowing: (following: FollowingNode) => void = () => undefined,
): Promise<ReadyNode> {
  const startedAtMs = systemClock.monotonicMs();
  const { folder, checkpoint } = await openLightFolder(config, opened);
  const verify = createNativeVerifier();
  const { verifyLater, isAcceptableKeyLater } = openVerifier(verify, onFatal, opened);
  const mailbox = openMailbox(config.dataDir, config.mailDiskBytes);
  opened.defer(() => mailbox.close());
  let tipHeight: (() => number | undefined) | undefined;
  const relay = openRelay(folder, mailbox, { verify: verifyLater, log, height: () => tipHeight?.(), mailDiskBytes: config.mailDiskBytes });
  opened.defer(() => relay.close());
  const directory = new HeldDirectory();
  let ofChain: { readonly newest: () => NewestTime; readonly isListed: PublicCardsDependencies["isListed"] } | undefined;
  const cardsByChain: Pick<PublicCardsDependencies, "newest" | "isListed"> = {
    newest: (): NewestTime | undefined => ofChain?.newest(),
    isListed: (person, device): ReturnType<PublicCardsDependencies["isListed"]> => ofChain?.isListed(person, device) ?? false,
  };
  const cards = openPublicCards(folder, { verify: verifyLater, ...cardsByChain }, opened);
  const ofMail = { folder, relay, mailbox, cards, holdsCardsOfOthers: false, directory, usesCarriers: config.usesCarriers };
  const relayNetwork = openMailNetwork({ ...ofMail, verify: verifyLater, log }, opened);
  const versions = { version: readVersion().nodeVersion, apiVersion: API_VERSION };
  const network = new LightNetwork({
    p2p: p2pOf(config),
    folder,
    relay: relayNetwork,
    verify,
    versions,
    clock: systemClock,
    log,
  });
  const headers = openHeaders({ config, folder, checkpoint, network, verify, knownVersions, log }, opened);
  opened.defer(() => network.stop());
  await network.start({ tip: () => headers.chain.tip(), onStatus: (peer) => headers.follower.poll(peer) });
  const contracts = openContractProcess(folder, log, true);
  opened.defer(() => contracts.stop());
  const { chain, source } = headers;
  tipHeight = (): number | undefined => chain.tip().header.height;
  const upgrades = new UpgradeNotice(knownVersions, log);
  const look: UpgradeNotice["look"] = (pending) => upgrades.look(pending);
  const followed = { reads: new ProvenReads(source), clock: systemClock, log };
  opened.defer(checkUpgrades({ ...followed, look }));
  opened.defer(followProvenDirectories({ ...followed, take: (newest, before) => directory.give(newest, before) }));
  onFollowing({ folder, network, chain, source, peers: headers.peers });
  const readable = chainServices({ folder, source, contracts, log, verify: verifyLater, isAcceptableKey: isAcceptableKeyLater }, opened);
  ofChain = {
    newest: (): NewestTime => chain.tip().header,
    isListed: (person, device): Promise<boolean> => isListed(readable.explorer, person, device),
  };
  const services: ApiServices = {
    node: describeLightNode({ folder, checkpoint: headers.checkpoint, network, chain, contracts, upgrades, joining, startedAtMs }),
    ...readable,
    relay,
    cards: relayNetwork.cards,
    heldMail: openHeldMail(folder, relay, log, opened),
    typing: relayNetwork.typing,
    ...updateService(config),
    ...webServices(),
    ...(await callRelayService(config, log, opened)),
    verify: verifyLater,
    clock: systemClock,
    random: systemRandom,
    log: log.child("api"),
  };
  const served = await serveInterface(config, { folder, services, secret }, opened);
  return { chainId: folder.genesis.chain_id, mode: "light", ...served };
}

/** True when the chain, as others prove it, lists a device for a person. */
async function isListed(explorer: ApiServices["explorer"], person: PublicKeyHex, device: X25519KeyHex): Promise<boolean> {
  const [{ x25519_pub }, devices] = await Promise.all([explorer.identity(person), explorer.deviceList(person)]);
  return x25519_pub === device || devices.some(({ x25519_pub_key }) => x25519_pub_key === device);
}

/** The folder, and where trust begins: at the given checkpoint, else at the one that came with the network, else at that of the release. */
async function openLightFolder(config: NodeConfig, opened: AsyncDisposableStack): Promise<LightFolder> {
  const { dataDir, joinUrl } = config;
  const isNew = !existsSync(dataFolderPaths(dataDir).genesis);
  const joined = isNew && joinUrl !== undefined ? await fetchCheckpoint(joinUrl, fetch) : undefined;
  const folder = await openFolder(config, opened);
  const { genesis, genesisHash, nodeKey, paths } = folder;
  if (genesis.validators.every(({ pub_key }) => pub_key === nodeKey.publicKey))
    throw new CodedError(
      "CONFIG_INVALID",
      `The network of ${dataDir} is made by this node alone, so there is no other one that a light node could ask: start without --mode light`,
    );
  if (joined !== undefined) writeFileAtomic(paths.checkpoint, `${formatCheckpoint(joined)}\n`);
  return { folder, checkpoint: chooseCheckpoint(genesisHash, config.checkpoint ?? joined ?? readCheckpoint(paths.checkpoint)) };
}

function readCheckpoint(path: string): Checkpoint | undefined {
  return existsSync(path) ? parseCheckpoint(readFileSync(path, "utf8")) : undefined;
}

/** The configuration has seen to it that there is one. */
function p2pOf({ p2p }: NodeConfig): NonNullable<NodeConfig["p2p"]> {
  if (p2p === undefined) throw new CodedError("CONFIG_INVALID", "A light node asks other nodes for everything: name some with --bootstrap");
  return p2p;
}

interface ChainDependencies {
  readonly folder: DataFolder;
  readonly source: VerifiedSource;
  readonly contracts: ContractProcess;
  readonly verify: ApiServices["verify"];
  readonly isAcceptableKey: (publicKey: Uint8Array) => boolean | Promise<boolean>;
  readonly log: NodeDependencies["log"];
}

/** Everything that the interface reads of the chain and hands to it. */
function chainServices(
  dependencies: ChainDependencies,
  opened: AsyncDisposableStack,
): Omit<ApiServices, "node" | "relay" | "cards" | "heldMail" | "clock" | "random" | "log" | "verify"> {
  const { source, contracts, verify, isAcceptableKey, log } = dependencies;
  const { genesis } = dependencies.folder;
  const reader = createLightReader(source, genesis);
  const calls = new LightCalls(reader.reads, (call) => contracts.runPass(call), systemTimers);
  const events = new LightEvents({ reads: reader.reads, first: firstParams(genesis.params), log: log.child("light") });
  opened.defer(() => events.stop());
  const checks = { verify, ...keyChecks(isAcceptableKey) };
  const mempool = new LightPool({
    genesis,
    reads: reader.reads,
    events,
    trials: lightTrials(calls, contracts),
    checks,
    log: log.child("light"),
  });
  opened.defer(() => mempool.stop());
  const queries = createLightQueries(reader, calls);
  const heavyReads = lightContractReads({ reads: reader.reads, contracts: queries.contracts, process: contracts, timers: systemTimers });
  return { ...queries, events, mempool, heavyReads };
}

interface LightDescription extends LightFolder {
  readonly network: LightNetwork;
  readonly chain: TrustedChain;
  readonly contracts: ContractProcess;
  readonly upgrades: UpgradeNotice;
  readonly joining: NodeDependencies["joining"];
  readonly startedAtMs: number;
}

function describeLightNode({
  folder,
  checkpoint,
  network,
  chain,
  contracts,
  upgrades,
  joining,
  startedAtMs,
}: LightDescription): NodeDescription {
  const { genesis, genesisHash, paths } = folder;
  return {
    chainId: genesis.chain_id,
    genesis,
    genesisHash,
    genesisTime: genesis.genesis_time,
    isDevelopment: genesis.development,
    mode: "light",
    version: versionInfo(readVersion(), genesis.chain_id),
    startedAtMs,
    sync: () => describeJoining(describeLightSync(chain.status(), chain.tip()), joining?.()),
    knownVersions: upgrades.knownVersions,
    upgrade: () => upgrades.describe(),
    light: () => describeLight(chain.status(), checkpoint),
    contracts: () => ({ engineFaults: contracts.faults, interpretedModules: contracts.modules }),
    peers: () => [...network.list()],
    network: () => network.figures(),
    p2pAddresses: () => network.addresses(),
    storage: storageSizes(paths, systemClock),
  };
}
