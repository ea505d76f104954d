// A new chain that begins with the state of a stopped one: its genesis file and the state file beside it. Both follow from the block and
// the plan alone, so that operators who do this apart from each other get the same bytes.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileError } from "#node/config/files/file-errors.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { heldUt } from "#node/ledger/continue-state.ts";
import { readParams } from "#node/ledger/records/params-records.ts";
import { readSupply } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { type Genesis, genesisHash, parseGenesis } from "#shared/protocol/chain/genesis.ts";
import { type BlockHeader, type HashHex, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import { sortValidators } from "#shared/protocol/chain/validators.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { firstParams, genesisParams } from "#shared/protocol/primitives/params.ts";
import { formatTimestamp, parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";
import { earliestGenesisMs, loadCarriedState } from "../genesis/load-carried-state.ts";
import { openStateFile, type StateFile, writeStateFile } from "../genesis/state-file.ts";
import { recordsOf, stateAtHeight } from "./state-at-height.ts";
import { openStoppedFolder, requireHeight, type StoppedFolder } from "./stopped-folder.ts";

/** What the operators have agreed on. */
export interface ExportPlan {
  readonly chainId: string;
  /** Block whose state is carried on; the newest one when absent. */
  readonly height?: Height | undefined;
  /** `YYYY-MM-DDThh:mm:ssZ`; the earliest possible when absent. */
  readonly genesisTime?: string | undefined;
  /** A bond that is not given is what the key has locked already, else that of the network's parameters. */
  readonly validators: readonly { readonly publicKey: PublicKeyHex; readonly bondUt?: AmountUt | undefined }[];
}

/** What was written. */
export interface ExportedGenesis {
  readonly genesis: Genesis;
  readonly genesisHash: HashHex;
  readonly genesisPath: string;
  readonly statePath: string;
  readonly records: number;
  readonly supplyUt: AmountUt;
}

type PlannedGenesis = Genesis & Required<Pick<Genesis, "previous">>;

const NO_HASH = toHex(ZERO_HASH);
const MS_PER_S = 1_000;

/**
 * Writes `genesis.json` and `genesis.state` into a folder, which is made when it is missing. The data folder stays as it is.
 * @throws CodedError CONFIG_INVALID when the plan is not possible, or as every data folder; nothing is left behind then.
 */
export function exportGenesis(dataDir: string, outDir: string, plan: ExportPlan): ExportedGenesis {
  const [genesisPath, statePath] = [join(outDir, "genesis.json"), join(outDir, "genesis.state")];
  for (const path of [genesisPath, statePath])
    if (existsSync(path)) throw new CodedError("CONFIG_INVALID", `There is a file ${path} already: name another folder with --out`);
  using folder = openStoppedFolder(dataDir);
  return folder.database.guard(() => {
    const height = plan.height ?? folder.tip.header.height;
    requireHeight(folder, height);
    const header = folder.database.blocks.header(height);
    assertInvariant(header !== undefined, `Block ${height} is missing`);
    const state = stateAtHeight(folder.database, height);
    const planned = plannedGenesis(folder, { header, state, plan });
    makeFolder(outDir);
    const written = writeStateFile(statePath, header, recordsOf(state));
    try {
      const file = openStateFile(statePath);
      const previous = { ...planned.previous, file_hash: written.hash, first_root: firstRoot(outDir, planned, folder, file) };
      const genesis = parseGenesis({ ...planned, previous });
      writeFileAtomic(genesisPath, `${JSON.stringify(genesis, null, 2)}\n`, { replaces: false });
      const supplyUt = readSupply(state);
      return { genesis, genesisHash: genesisHash(genesis), genesisPath, statePath, records: written.records, supplyUt };
    } catch (error) {
      rmSync(statePath, { force: true });
      throw error;
    }
  });
}

interface PlanInput {
  readonly header: BlockHeader;
  readonly state: StateReader;
  readonly plan: ExportPlan;
}

/** The genesis with hashes of zeros where only the written file can give them. @throws CodedError CONFIG_INVALID */
function plannedGenesis({ genesis: old }: StoppedFolder, { header, state, plan }: PlanInput): PlannedGenesis {
  const { height, stateRoot, chainId, timeMs } = header;
  const validators = plan.validators.map(({ publicKey, bondUt }) => ({
    publicKey,
    bondUt: bondUt ?? (heldUt(state, publicKey) || old.params.validator_bond_ut),
  }));
  const previous = {
    chain_id: chainId,
    height,
    block_hash: headerHash(header),
    state_root: stateRoot,
    file_hash: NO_HASH,
    first_root: NO_HASH,
  };
  const genesis = parseGenesis({
    chain_id: plan.chainId,
    genesis_time: genesisTime(earliestGenesisMs(timeMs, old.development), plan.genesisTime),
    development: old.development,
    validators: sortValidators(validators).map(({ publicKey, bondUt }) => ({ pub_key: publicKey, bond_ut: bondUt })),
    accounts: [],
    params: genesisParams(readParams(state, firstParams(old.params))),
    contracts: [],
    previous,
  });
  return { ...genesis, previous };
}

/** The earliest whole second, unless a later one was agreed on. */
function genesisTime(earliestMs: number, wanted: string | undefined): string {
  const earliest = formatTimestamp(Math.ceil(earliestMs / MS_PER_S) * MS_PER_S);
  if (wanted === undefined) return earliest;
  const wantedMs = parseTimestamp(wanted);
  if (wantedMs === undefined) throw new CodedError("CONFIG_INVALID", `"${wanted}" is no time: write YYYY-MM-DDThh:mm:ssZ`);
  if (wantedMs >= earliestMs) return wanted;
  throw new CodedError(
    "CONFIG_INVALID",
    `The new chain cannot begin before ${earliest}: transactions of the old chain could be repeated on it`,
  );
}

/** Loads what was written into an empty database, as every node of the new chain will, and gives the root. */
function firstRoot(outDir: string, genesis: PlannedGenesis, folder: StoppedFolder, file: StateFile): HashHex {
  const trial = mkdtempSync(join(outDir, ".trial-"));
  try {
    const database = openChainDatabase(trial, { chainId: genesis.chain_id, genesisHash: NO_HASH });
    try {
      return database.inTransaction(() => loadCarriedState(database.state, genesis, file));
    } catch (error) {
      throw isCodedError(error, "STORAGE_CORRUPT") ? damagedState(folder, genesis, error) : error;
    } finally {
      database.close();
    }
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

/** The file has just been written from the database, so it is the records there that are wrong. */
function damagedState({ database }: StoppedFolder, { previous }: PlannedGenesis, cause: unknown): CodedError {
  return new CodedError(
    "STORAGE_CORRUPT",
    `The database ${database.file} is damaged: its records are not the state of block ${previous.height}. Export from the folder of another node`,
    { cause, details: { file: database.file } },
  );
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileError(path, error);
  }
}
