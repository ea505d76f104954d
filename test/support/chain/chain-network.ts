// Validators in one process: real chains on disk, with their duties, over a network of function calls.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Chain, openChain } from "#node/composition/chain.ts";
import { type DataFolder, dataFolderPaths } from "#node/config/files/data-folder.ts";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createKeyCheck, createNativeVerifier } from "#node/crypto/verify-signature.ts";
import type { DutyContext } from "#node/duties/duty-context.ts";
import { EvidencePool } from "#node/duties/evidence-pool.ts";
import { reportEvidence } from "#node/duties/evidence-reporter.ts";
import { storeEvidence } from "#node/duties/node-duties.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { createLog, type Log } from "#node/observability/log.ts";
import { type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { sortValidators, type ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Vote, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { type Actor, GENESIS } from "../worlds/ledger-world.ts";

const SILENT: Log = createLog("json", { write: () => undefined });

/** One validator. */
export interface ChainNode {
  readonly key: Actor;
  readonly folder: DataFolder;
  readonly database: ChainDatabase;
  readonly chain: Chain;
  readonly evidence: EvidencePool;
  /** The node as a sender of transactions. */
  readonly account: DutyContext;
  /** Signatures of submissions and of blocks from outside that were checked so far. */
  readonly checkedLater: number;
  /** A message of another validator arrives here only. */
  receive(message: ConsensusMessage): void;
  stop(): void;
}

/** A running network. */
export interface ChainNetwork extends Disposable {
  readonly genesis: Genesis;
  readonly validators: ValidatorSet;
  readonly nodes: readonly ChainNode[];
  /** A vote for the next height, signed by a validator. */
  vote(voter: Actor, vote: Omit<Vote, "signature" | "validatorIndex">): ConsensusMessage;
}

/** Starts a network of validators, who have no money, and of further nodes, in folders below `directory`. */
export function startChainNetwork(directory: string, members: readonly Actor[], further: readonly Actor[] = []): ChainNetwork {
  const keys = [...members, ...further];
  const genesis: Genesis = {
    ...GENESIS,
    genesis_time: formatTimestamp(systemClock.nowMs() - 1_000),
    validators: members.map(({ pub }) => ({ pub_key: pub, bond_ut: 1_000_000 })),
  };
  const validators = sortValidators(members.map(({ pub }) => ({ publicKey: pub, bondUt: 1_000_000 })));
  const nodes: ChainNode[] = [];
  const others = (own: number): readonly ChainNode[] => nodes.filter((_, index) => index !== own);
  for (const [index, key] of keys.entries())
    nodes.push(
      openNode(
        { directory: join(directory, String(index)), genesis, key },
        (message) => {
          for (const node of others(index)) setImmediate(() => node.receive(message));
        },
        (transaction) => {
          // Who has it already refuses it.
          for (const node of others(index)) node.chain.receive(transaction).catch(() => undefined);
        },
      ),
    );
  for (const { chain } of nodes) chain.engine.start();
  return {
    genesis,
    validators,
    nodes,
    vote: (voter, vote): ConsensusMessage => {
      const validatorIndex = validators.findIndex(({ publicKey }) => publicKey === voter.pub);
      return { type: "vote", vote: { ...vote, validatorIndex, signature: signEd25519(voteSignBytes(genesis.chain_id, vote), voter.seed) } };
    },
    [Symbol.dispose]: (): void => {
      for (const node of nodes) node.stop();
    },
  };
}

type Transaction = Parameters<Chain["receive"]>[0];

function openNode(
  { directory, genesis, key }: { readonly directory: string; readonly genesis: Genesis; readonly key: Actor },
  broadcast: (message: ConsensusMessage) => void,
  onSubmitted: (transaction: Transaction) => void,
): ChainNode {
  const paths = dataFolderPaths(directory);
  mkdirSync(paths.consensus, { recursive: true });
  const nodeKey = { kind: "ed25519", publicKey: key.pub, secret: key.seed } as const;
  const folder: DataFolder = { paths, genesis, genesisHash: genesisHash(genesis), nodeKey, relayKey: nodeKey, faucetKey: undefined };
  const database = openChainDatabase(directory, { chainId: genesis.chain_id, genesisHash: folder.genesisHash });
  const evidence = new EvidencePool(join(paths.consensus, "evidence.json"), SILENT);
  const verify = createNativeVerifier();
  let receive: (message: ConsensusMessage) => void = () => undefined;
  let checkedLater = 0;
  const chain = openChain({
    folder,
    database,
    mode: undefined,
    verify,
    verifyLater: (signature, message, publicKey): boolean => {
      checkedLater += 1;
      return verify(signature, message, publicKey);
    },
    isAcceptableKeyLater: createKeyCheck(),
    clock: systemClock,
    log: SILENT,
    onFatal: (error): void => {
      throw error;
    },
    onEvidence: (found): void => storeEvidence(evidence, found, database.validatorSets.at(found.first.height), systemClock.nowMs()),
    peers: {
      network: {
        broadcast,
        onMessage: (listener): (() => void) => {
          receive = listener;
          return () => undefined;
        },
      },
      onSubmitted,
      onWork: () => undefined,
      onAwake: () => undefined,
    },
  });
  const account: DutyContext = {
    chainId: genesis.chain_id,
    key: nodeKey,
    state: chain.executor.state,
    submit: (tx) => chain.submit(tx, systemClock.nowMs()),
    isPending: (id): boolean => chain.mempool.get(id) !== undefined,
    onCommit: (listener): (() => void) => chain.executor.onCommit(() => listener()),
    clock: systemClock,
    random: systemRandom,
    log: SILENT,
  };
  const stopReporting = reportEvidence({
    ...account,
    pool: evidence,
    timers: systemTimers,
    tipHeight: () => chain.executor.tip().height,
    pending: () => chain.mempool.all(),
  });
  return {
    key,
    folder,
    database,
    chain,
    evidence,
    account,
    get checkedLater(): number {
      return checkedLater;
    },
    receive: (message) => receive(message),
    stop: (): void => {
      stopReporting();
      chain.engine.stop();
      database.close();
    },
  };
}
