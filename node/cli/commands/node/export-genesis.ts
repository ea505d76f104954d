// parley export-genesis: a new chain that begins with the state of a stopped one.
import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import type { ExportPlan } from "#node/engine/recovery/export-genesis.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { amountValue, heightValue, read } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";

type PlannedValidator = ExportPlan["validators"][number];

interface ExportOptions {
  readonly dataDir?: string;
  readonly out: string;
  readonly chainId: string;
  readonly height?: number;
  readonly genesisTime?: string;
  readonly validator: readonly PlannedValidator[];
  readonly json?: boolean;
}

export function addExportGenesisCommand(program: Command, context: CommandContext): void {
  const folder = defaultDataDir();
  const command = program
    .command("export-genesis")
    .description("write the genesis of a new chain that begins with the state of a stopped node")
    .requiredOption("--chain-id <id>", "name of the new chain")
    .requiredOption("--validator <key[:bond]>", "a validator of the new chain; once for each", plannedValidator)
    .requiredOption("--out <dir>", "folder for genesis.json and genesis.state")
    .option("--height <height>", "block whose state is carried on (default: the newest)", heightValue)
    .option("--genesis-time <time>", "time of the new chain's first block, YYYY-MM-DDThh:mm:ssZ (default: the earliest possible)")
    .option("--data-dir <dir>", `data folder of the node (default ${folder})`)
    .option("--json", "print the result as JSON");
  withExamples(
    command,
    "export-genesis --data-dir data --chain-id parley-2 --height 8123 --validator pl1… --validator pl1… --out new",
  ).action((options: ExportOptions) => exportGenesis(context, options, resolve(options.dataDir ?? folder)));
}

async function exportGenesis(context: CommandContext, options: ExportOptions, path: string): Promise<void> {
  // Only this command and the node itself need the databases.
  const { exportGenesis: write } = await import("#node/engine/recovery/export-genesis.ts");
  const { chainId, height, genesisTime, validator } = options;
  const exported = write(path, resolve(options.out), { chainId, height, genesisTime, validators: validator });
  const { genesis, genesisHash, genesisPath, statePath, records, supplyUt } = exported;
  const { previous } = genesis;
  report(
    context,
    options,
    {
      genesis: genesisPath,
      state: statePath,
      chain_id: genesis.chain_id,
      genesis_hash: genesisHash,
      genesis_time: genesis.genesis_time,
      previous: { ...previous },
      records,
      supply_ut: supplyUt,
    },
    [
      `Wrote ${genesisPath} and ${statePath}`,
      `Chain ${genesis.chain_id} continues ${previous?.chain_id} after block ${previous?.height} (${previous?.block_hash}), from ${genesis.genesis_time} on`,
      `${records} records, supply ${formatAmount(supplyUt)}, ${genesis.validators.length} validators`,
      `Genesis hash ${genesisHash}: compare it with the other operators before any of you starts a node`,
    ],
  );
}

/** A key as hex or address, and its bond behind a colon. */
function plannedValidator(text: string, earlier: readonly PlannedValidator[] = []): readonly PlannedValidator[] {
  const [account = "", bond, ...more] = text.split(":");
  if (more.length > 0) throw new InvalidArgumentError("A validator is a key, or a key and its bond with a colon between them.");
  const publicKey = read(account, parseAccount);
  return [...earlier, { publicKey, ...(bond === undefined ? {} : { bondUt: amountValue(bond) }) }];
}
