// What the start of every kind of node shares: the data folder, the options of the interface, what a start is given and gives.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ApiOptions } from "#node/api/options.ts";
import { type ApiServer, createApiServer } from "#node/api/server.ts";
import type { ApiServices } from "#node/api/services.ts";
import { PACKAGE_ROOT, readVersion } from "#node/config/build-info.ts";
import { checkDataFolder, createDataFolder, type DataFolder, dataFolderPaths, openDataFolder } from "#node/config/files/data-folder.ts";
import { removeEndpointFile, writeEndpointFile } from "#node/config/files/endpoint-file.ts";
import { closeDataFolder } from "#node/config/files/private-data-folder.ts";
import { fetchGenesis } from "#node/config/join-network.ts";
import { localUrl } from "#node/config/listen-address.ts";
import type { NodeConfig, NodeMode } from "#node/config/node-config.ts";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createThreadedVerifier, type ThreadedVerifier } from "#node/crypto/threaded-verifier.ts";
import { PageReader } from "#node/duties/pages/page-reader.ts";
import { RateSource } from "#node/duties/rate-source.ts";
import { removeUnfinishedReplay } from "#node/engine/recovery/replay-folder.ts";
import { readAccount, readDevice, readIdentity } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { startCallRelay } from "#node/network/calls/call-relay.ts";
import type { Log } from "#node/observability/log.ts";
import { createUpdateCheck } from "#node/observability/update/update-check.ts";
import { HELD_BOUNDS, HeldMail } from "#node/relay/intake/held-mail.ts";
import { mailboxLimits } from "#node/relay/mailbox-limits.ts";
import type { Postage } from "#node/relay/mailbox-room.ts";
import { type NewestTime, PUBLIC_CARD_BOUNDS, PublicCards, type PublicCardsDependencies } from "#node/relay/owners/public-cards.ts";
import { createRelay, type Relay } from "#node/relay/relay.ts";
import { removeUnfinished } from "#node/storage/chain/migration/rewrite-database.ts";
import { lockDataFolder } from "#node/storage/data-folder-lock.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { type HeldMailStore, hasHeldMail, openHeldMailStore } from "#node/storage/messages/held-mail-store.ts";
import { hasPublicCards, openPublicCardStore, type PublicCardStore } from "#node/storage/messages/public-card-store.ts";
import type { SnapshotRule } from "#node/sync/snapshots/snapshot-heights.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import { MIN_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { NamedAccounts } from "./history/own-accounts.ts";

const SECRET_BYTES = 32;

/** What a node is given. */
export interface NodeDependencies {
  readonly log: Log;
  /** The node cannot continue; its process should stop it and end with a failure. */
  readonly onFatal: (error: unknown) => void;
  /** The validator has another key from the next height on, which a start with the same configuration votes with. */
  readonly onKeyReplaced?: () => void;
  /** Versions of headers and rules that the node has; those of this release when absent, which every program leaves out. */
  readonly knownVersions?: readonly number[];
  /** Accounts of the person, where the program that started the node names them: until then nothing is dropped. */
  readonly named?: NamedAccounts | undefined;
  /** What opens the interface for the node's owner; a new one when absent. */
  readonly secret?: string | undefined;
  /** How far a light node is that fetches a state to become a full one. */
  readonly joining?: (() => NodeStatus["sync"]["snapshot"]) | undefined;
  /** Ends a start that takes long; once the node serves, its `stop` does. */
  readonly signal?: AbortSignal | undefined;
  /** The data folder is being brought up to date: so many of its blocks are done. Until then the node does not serve. */
  readonly onUpdating?: ((done: number, total: number) => void) | undefined;
  /** At which heights there are snapshots; tests have small chains. */
  readonly snapshotRule?: SnapshotRule;
}

/** A node that serves. */
export interface ReadyNode {
  readonly chainId: string;
  readonly mode: NodeMode;
  readonly port: number;
  /** Address for programs of this machine. */
  readonly url: string;
  /** Secret of this start, for programs of the node's owner. */
  readonly secret: string;
}

/** Opens and locks the data folder, making a new one. @throws CodedError in words */
export async function openFolder(config: NodeConfig, opened: AsyncDisposableStack): Promise<DataFolder> {
  const { dataDir: path, genesisPath, isDevelopment, joinUrl, mode } = config;
  // A folder that has its network needs no node to join it again.
  const isNew = !existsSync(dataFolderPaths(path).genesis);
  const joined = joinUrl !== undefined && isNew ? { joined: await fetchGenesis(joinUrl, fetch) } : {};
  const request = { path, genesisPath, isDevelopment, isLight: mode === "light", ...joined };
  // Before the folder is touched: one that is refused stays as it is.
  checkDataFolder(request);
  createDataFolder(config.dataDir);
  const lock = lockDataFolder(config.dataDir);
  opened.defer(() => lock.release());
  closeDataFolder(config.dataDir);
  return openDataFolder({ ...request, nowMs: systemClock.nowMs(), random: systemRandom });
}

/** Options of the interface as the configuration says. */
export function apiOptions({ api, statsAddress }: NodeConfig, localSecret?: string): ApiOptions {
  const interfaceDir = join(PACKAGE_ROOT, "dist", "renderer");
  return {
    listenHost: statsAddress.host,
    token: api.token,
    localSecret,
    ...(api.openPart === undefined ? {} : { openPart: api.openPart }),
    ...(api.trustedProxies === undefined ? {} : { trustedProxies: api.trustedProxies }),
    isPrivate: api.isPrivate,
    allowedHosts: api.allowedHosts,
    allowedOrigins: api.allowedOrigins,
    limitsLoopback: api.limitsLoopback,
    inboxAuth: api.inboxAuth,
    interfaceDir: api.servesInterface ? interfaceDir : undefined,
    servesSwagger: api.servesSwagger,
    limits: api.limits,
  };
}

/** What a node serves. */
export interface ServedInterface {
  readonly folder: DataFolder;
  readonly services: ApiServices;
  /** Called before the server listens. */
  readonly onServer?: (server: ApiServer) => void;
  /** Made when absent. */
  readonly secret?: string | undefined;
}

/** Serves the interface, and tells programs of the same user where and with which secret, until it is closed. */
export async function serveInterface(
  config: NodeConfig,
  { folder, services, onServer, secret = newSecret() }: ServedInterface,
  opened: AsyncDisposableStack,
): Promise<Pick<ReadyNode, "port" | "url" | "secret">> {
  const server = await createApiServer(apiOptions(config, secret), services);
  opened.defer(() => server.close());
  onServer?.(server);
  const { port } = await server.listen(config.statsAddress);
  const url = localUrl({ ...config.statsAddress, port });
  writeEndpointFile(folder.paths.endpoint, {
    chainId: folder.genesis.chain_id,
    apps: null,
    node: { url, secret },
    pid: process.pid,
  });
  opened.defer(() => removeEndpointFile(folder.paths.endpoint, secret));
  return { port, url, secret };
}

/** A secret of one start. */
export function newSecret(): string {
  return toHex(systemRandom(SECRET_BYTES));
}

/** What the node asks of the web, for its owner alone: rates, and what pages say of themselves. */
export function webServices(): Pick<ApiServices, "rates" | "pages"> {
  return { rates: new RateSource({ clock: systemClock }), pages: new PageReader({ clock: systemClock }) };
}

/** The relay of calls, where one is offered. @throws CodedError CONFIG_INVALID where it cannot listen */
export async function callRelayService(
  { callRelay }: Pick<NodeConfig, "callRelay">,
  log: Log,
  opened: AsyncDisposableStack,
): Promise<Pick<ApiServices, "callRelay">> {
  if (callRelay === undefined) return {};
  const relay = await startCallRelay(callRelay, {
    clock: systemClock,
    timers: systemTimers,
    random: systemRandom,
    log: log.child("calls"),
  });
  opened.defer(() => relay.stop());
  return { callRelay: relay };
}

/** The update check, where a source of releases is configured. */
export function updateService({ updateUrl }: Pick<NodeConfig, "updateUrl">): Pick<ApiServices, "checkForUpdate"> {
  if (updateUrl === undefined) return {};
  return { checkForUpdate: createUpdateCheck({ url: updateUrl, current: readVersion().build, fetch, clock: systemClock }) };
}

/** Checks signatures of submissions on another thread. */
export function openVerifier(
  verifyHere: VerifySignature,
  onFatal: (error: unknown) => void,
  opened: AsyncDisposableStack,
): { readonly verifyLater: ThreadedVerifier["verify"]; readonly isAcceptableKeyLater: ThreadedVerifier["isAcceptableKey"] } {
  const verifier = createThreadedVerifier({ verifyHere, onFatal });
  opened.defer(() => verifier.stop());
  return {
    verifyLater: (signature, message, publicKey) => verifier.verify(signature, message, publicKey),
    isAcceptableKeyLater: (publicKey) => verifier.isAcceptableKey(publicKey),
  };
}

/** The node's mailboxes. */
export function openRelay(
  { genesis, relayKey }: DataFolder,
  store: MailboxRepository,
  {
    verify,
    log,
    height,
    postage,
    mailDiskBytes,
  }: {
    readonly verify: ThreadedVerifier["verify"];
    readonly log: Log;
    readonly height: () => number | undefined;
    readonly postage?: Postage;
    readonly mailDiskBytes: number | undefined;
  },
): Relay {
  return createRelay({
    chainId: genesis.chain_id,
    secretKey: relayKey.secret,
    store,
    clock: systemClock,
    random: systemRandom,
    verify,
    height,
    postage,
    limits: mailboxLimits(mailDiskBytes),
    onError: (error) => log.error({ err: error }, "the mailbox failed"),
  });
}

/** Public cards that this node holds; the file comes with the first. */
export function openPublicCards(
  { genesis, paths: { root } }: Pick<DataFolder, "genesis" | "paths">,
  chain: Pick<PublicCardsDependencies, "verify" | "newest" | "isListed">,
  opened: AsyncDisposableStack,
): PublicCards {
  const open = (): PublicCardStore => openPublicCardStore(root, PUBLIC_CARD_BOUNDS);
  const cards = new PublicCards({ chainId: genesis.chain_id, open, isThere: hasPublicCards(root), ...chain });
  return opened.adopt(cards, () => cards.close());
}

/** Mail that is sent at a time; the file comes with the first. */
export function openHeldMail(
  { paths: { root } }: Pick<DataFolder, "paths">,
  relay: Relay,
  log: Log,
  opened: AsyncDisposableStack,
): HeldMail {
  const held = new HeldMail({
    relay,
    open: (): HeldMailStore => openHeldMailStore(root, HELD_BOUNDS),
    isThere: hasHeldMail(root),
    clock: systemClock,
    timers: systemTimers,
    onError: (error): void => log.error({ err: error }, "mail for later failed"),
  });
  return opened.adopt(held, () => held.close());
}

/** What mail is judged by on a chain. Postage that counts is what this relay asks for, else the smallest fee of a transaction. */
export function mailRules(
  { relayFeeUt, mailDiskBytes }: Pick<NodeConfig, "relayFeeUt" | "mailDiskBytes">,
  executor: { readonly state: StateReader; tip(): { readonly height: number } },
): { readonly height: () => number; readonly postage: Postage; readonly mailDiskBytes: number | undefined } {
  const canPay: Postage["canPay"] = (sender, amountUt) => sender !== "" && readAccount(executor.state, sender).balanceUt >= amountUt;
  return { mailDiskBytes, height: () => executor.tip().height, postage: { leastFeeUt: relayFeeUt ?? MIN_FEE_UT, canPay } };
}

/** What cards are judged by on a chain. */
export function cardRules(executor: {
  readonly state: StateReader;
  tip(): NewestTime;
}): Pick<PublicCardsDependencies, "newest" | "isListed"> {
  return {
    newest: () => executor.tip(),
    // A device is of whoever linked it: anyone may have published its key as their identity's before.
    isListed: (person, device): boolean => {
      const { state } = executor;
      const linked = readDevice(state, device);
      return linked === undefined ? readIdentity(state, person)?.x25519Pub === device : linked.masterPub === person;
    },
  };
}

/** Removes what commands left that were killed, and says where that is an index: the one in use is whole, and that of before unless the very last step was done. */
export function removeUnfinishedWork({ paths }: Pick<DataFolder, "paths">, log: Pick<Log, "warn">): void {
  removeUnfinishedReplay(paths);
  if (!existsSync(paths.reindexing)) return;
  removeUnfinished(paths.chain);
  const warning =
    "A rebuild of the index was interrupted, and the index in use may be the earlier one: run parley node reindex again when the node is stopped";
  log.warn({}, warning);
}
