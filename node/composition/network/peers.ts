// The node among others: wires chain, synchronisation and gossip to the network. Everything that peers send ends here.

import { systemTimers } from "#node/config/system-clock.ts";
import type { MessageSender } from "#node/engine/consensus-network.ts";
import type { ProposalUse } from "#node/engine/engine-interface.ts";
import type { BlockComparison, FollowOutcome } from "#node/engine/execution/decided-block.ts";
import { BlockServer } from "#node/gossip/block-server.ts";
import { type Bringer, TransactionGossip } from "#node/gossip/transaction-gossip.ts";
import { WaitingWork } from "#node/gossip/waiting-work.ts";
import type { LightServer } from "#node/light/server/light-server.ts";
import type {
  ChainStatus,
  EncodedFinalBlock,
  FinalBlock,
  NetworkFigures,
  NetworkHandlers,
  PeerName,
  PeerNetwork,
  PeerParty,
  PeerView,
  ReceivedBlock,
  ValidationResult,
} from "#node/network/peer-network.ts";
import type { RelayNetwork } from "#node/relay/relay-network.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { BlockSync, type SyncStatus } from "#node/sync/block-sync.ts";
import type { SnapshotServer } from "#node/sync/snapshots/snapshot-server.ts";
import type { PeerInfo } from "#shared/api/schemas/discovery.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Chain } from "../chain.ts";
import { createNetwork } from "./create-network.ts";
import { type NetworkDependencies, networkOptions } from "./network-dependencies.ts";
import { peerInfo } from "./peer-info.ts";
import type { PeerLink, PeerListener } from "./peer-link.ts";

/** What peers are wired to. */
export interface PeersDependencies extends NetworkDependencies {
  readonly database: ChainDatabase;
  readonly chain: Chain;
  readonly relay: RelayNetwork;
  /** Answers nodes that hold no chain. */
  readonly light: LightServer;
  /** Answers nodes that join. */
  readonly snapshots: SnapshotServer;
  /** From which block on the node means to keep all. */
  readonly keepsFrom: () => Height;
  readonly link: PeerLink;
}

/** The other nodes, as this one sees them. */
export class Peers implements PeerListener {
  readonly #dependencies: PeersDependencies;
  readonly #server: BlockServer;
  readonly #sync: BlockSync;
  readonly #transactions: TransactionGossip;
  readonly #waiting: WaitingWork;
  /** Peers that are connected and have sent their status. */
  readonly #met = new Set<PeerName>();
  readonly #unsubscribe: (() => void)[] = [];
  #network: PeerNetwork | null = null;
  #validatorsHash = "";
  #isPublishing = false;

  constructor(dependencies: PeersDependencies) {
    this.#dependencies = dependencies;
    const { chain, clock, folder, database, verify } = dependencies;
    this.#server = new BlockServer({
      chainId: folder.genesis.chain_id,
      blocks: database.blocks,
      tip: (): ReturnType<typeof chain.executor.tip> => chain.executor.tip(),
      validatorsAt: (height): ValidatorSet => database.validatorSets.at(height),
      snapshots: (): readonly Height[] => dependencies.snapshots.heights(),
      keepsFrom: (): Height => dependencies.keepsFrom(),
      verify,
    });
    this.#sync = new BlockSync({
      chain: {
        height: (): number => chain.executor.tip().height,
        applyBatch: (batch): Promise<FollowOutcome> => chain.applyBatch(batch),
        setAbstaining: (isAbstaining): void => chain.engine.setAbstaining(isAbstaining),
        proveHeader: chain.proveHeader,
        prove: chain.prove,
        prepare: chain.prepare,
        isWhole: chain.isWhole,
        prepareBody: chain.prepareBody,
        compare: (received): BlockComparison => this.#server.compare(received),
      },
      network: {
        requestBlocks: (peer, from, count, signal): Promise<readonly ReceivedBlock[]> =>
          this.#running().requestBlocks(peer, from, count, signal),
        report: (peer, offence): void => this.#network?.report(peer, offence),
      },
      clock,
      timers: systemTimers,
      log: dependencies.log.child("sync"),
    });
    this.#transactions = new TransactionGossip({
      submit: (transaction): Promise<void> => this.#receive(transaction),
      isKnown: (id): boolean => chain.mempool.isKnown(id),
      isBehind: (): boolean => this.#sync.isBehind,
      forward: (transactions): void => this.#network?.publishTransactions(transactions),
      clock,
    });
    this.#waiting = new WaitingWork({
      timers: systemTimers,
      height: (): number => chain.executor.tip().height,
      pending: (): readonly Transaction[] => chain.ready(),
      isBehind: (): boolean => this.#sync.isBehind,
      send: (height, transactions): void => dependencies.link.network.broadcast({ type: "work", height, transactions }),
    });
  }

  /** Starts the network; the engine runs already. @throws CodedError when an address is wrong or taken. */
  async start(): Promise<void> {
    const { chain, link, relay } = this.#dependencies;
    this.#network = await createNetwork(await networkOptions(this.#dependencies), this.#handlers());
    link.network.attach(this.#network);
    link.listen(this);
    this.#unsubscribe.push(
      relay.attach(this.#network),
      chain.engine.onCommit((committed) => this.#onCommitted(committed)),
    );
    this.#followValidators();
    if (chain.mempool.size > 0) this.#waiting.notify();
  }

  /** Ends what was begun, the network last. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
    this.#waiting.stop();
    this.#sync.stop();
    this.#dependencies.link.listen(null);
    this.#dependencies.link.network.attach(null);
    await this.#network?.stop();
    this.#network = null;
  }

  /** Connected peers. */
  list(): readonly PeerInfo[] {
    const nowMs = this.#dependencies.clock.nowMs();
    return (this.#network?.peers() ?? []).map((peer) => peerInfo(peer, nowMs));
  }

  figures(): NetworkFigures | undefined {
    return this.#network?.figures();
  }

  /** The connected nodes, for who asks them as a light node does, or for old blocks. */
  get requests(): Pick<PeerNetwork, "peers" | "requestLight" | "requestBlocks" | "requestSnapshot" | "report"> {
    return {
      peers: (): readonly PeerView[] => this.#network?.peers() ?? [],
      requestLight: (...request): Promise<Uint8Array> => this.#running().requestLight(...request),
      requestBlocks: (...request): Promise<readonly ReceivedBlock[]> => this.#running().requestBlocks(...request),
      requestSnapshot: (...request): Promise<Uint8Array> => this.#running().requestSnapshot(...request),
      report: (peer, offence): void => this.#network?.report(peer, offence),
    };
  }

  /** Addresses at which others can dial this node. */
  addresses(): readonly string[] {
    return this.#network?.addresses() ?? [];
  }

  /** True while the network has blocks that this node lacks, as far as it knows. */
  get isCatchingUp(): boolean {
    return this.#sync.isBehind || this.#sync.status().state === "syncing";
  }

  /** How far this node is. */
  status(): SyncStatus {
    return this.#sync.status();
  }

  /** A transaction was taken in here first. */
  onSubmitted(transaction: Transaction): void {
    this.#waiting.notify();
    this.#network?.publishTransactions([transaction]);
  }

  /** A validator reports transactions that wait. */
  onWork(transactions: readonly Transaction[], sender: MessageSender): void {
    // A validator that is behind reports what others know to be over: that costs it nothing, and beyond its share nothing is tried.
    const bringer: Bringer = { party: { name: `work of ${sender.name}`, standing: "exempt" }, onFlood: (): void => undefined };
    this.#transactions
      .validate(transactions, bringer)
      .then((result) => result === "reject" && sender.reject())
      .catch((error: unknown) => this.#dependencies.log.error({ err: error }, "Transactions of a validator could not be added"));
  }

  /** The machine slept. */
  onAwake(): void {
    this.#sync.onAwake();
  }

  async #receive(transaction: Transaction): Promise<void> {
    await this.#dependencies.chain.receive(transaction);
    this.#waiting.notify();
  }

  #handlers(): NetworkHandlers {
    const { chain, link, relay, light, snapshots } = this.#dependencies;
    return {
      transactions: (transactions, from): Promise<ValidationResult> => this.#transactions.validate(transactions, this.#bringer(from)),
      block: (received, from): Promise<ValidationResult> => this.#sync.onBlock(received, from),
      pending: (id): Transaction | undefined => chain.mempool.get(id),
      consensus: (message, _from, sender, bytes): void => link.network.deliver(message, sender, bytes),
      proposalUse: (proposal): ProposalUse => chain.engine.proposalUse(proposal),
      status: (status, from): void => this.#onStatus(status, from),
      disconnected: (peer): void => this.#onDisconnected(peer),
      ownStatus: (): ChainStatus => this.#server.status(),
      blocks: (from, count): Iterable<EncodedFinalBlock> =>
        chain.engine.status().phase === "running" ? this.#server.range(from, count) : [],
      light: (request, from): Promise<Uint8Array | undefined> => light.respond(request, this.#partyOf(from).name),
      snapshot: (request, from): Promise<Uint8Array | undefined> => snapshots.respond(request, this.#partyOf(from).name),
      ...relay.handlers,
    };
  }

  #partyOf(peer: PeerName): PeerParty {
    return this.#network?.partyOf(peer) ?? { name: peer, standing: "stranger" };
  }

  #bringer(peer: PeerName): Bringer {
    return { party: this.#partyOf(peer), onFlood: (): void => this.#network?.report(peer, "flood") };
  }

  #onStatus(status: ChainStatus, from: PeerName): void {
    if (!this.#met.has(from)) {
      this.#met.add(from);
      this.#waiting.retrySoon();
    }
    this.#sync.onStatus(status, from);
  }

  #onDisconnected(peer: PeerName): void {
    this.#met.delete(peer);
    this.#sync.onDisconnected(peer);
  }

  #onCommitted({ block, commit }: FinalBlock): void {
    const { chain } = this.#dependencies;
    this.#sync.onCommitted();
    if (chain.mempool.size > 0) this.#waiting.notify();
    if (block.header.nextValidatorsHash !== this.#validatorsHash) this.#followValidators();
    const isVoter = chain.engine.status().isVoting && !this.#sync.isBehind;
    this.#publishSoon(isVoter ? { block, commit } : null);
  }

  // Votes of the next height leave first; followers can wait for the turn after.
  #publishSoon(final: FinalBlock | null): void {
    if (final !== null) setImmediate(() => this.#network?.publishBlock(final));
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    setImmediate(() => {
      this.#isPublishing = false;
      this.#network?.publishStatus(this.#server.status());
    });
  }

  #followValidators(): void {
    const { nextValidators } = this.#dependencies.chain.executor.tip();
    this.#validatorsHash = validatorsHash(nextValidators);
    this.#network?.setValidators(nextValidators.map(({ publicKey }) => publicKey));
  }

  #running(): PeerNetwork {
    if (this.#network === null) throw new CodedError("UNAVAILABLE", "The network does not run");
    return this.#network;
  }
}
