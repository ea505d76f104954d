// parley network new: the data folders of a new development network.
import { resolve } from "node:path";
import type { Command } from "commander";
import type { NewNetwork } from "#node/config/files/network-folders.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";

/** Numbers of a network as given. */
export interface NetworkOptions {
  readonly validators: string;
  readonly nodes: string;
  readonly basePort: string;
  readonly json?: boolean;
}

/** Adds the group. */
export function addNetworkCommands(program: Command, context: CommandContext): void {
  const group = program.command("network").description("create development networks of several nodes");
  const command = withNetworkOptions(group.command("new").description("create the data folders of a new network, ready to start"))
    .requiredOption("--out <dir>", "folder to make; DIR/node-0 and so on will be the data folders")
    .option("--json", "print the result as JSON");
  withExamples(command, "network new --out net --validators 4 --nodes 2 --base-port 8080").action(
    async (options: NetworkOptions & { readonly out: string }) => {
      const network = await createNetwork(context, options, resolve(options.out));
      report(context, options, networkJson(network), [
        ...networkLines(network),
        `Start each with: parley node --data-dir ${resolve(options.out)}/node-0`,
      ]);
    },
  );
}

/** Adds the options that say how large a network is. */
export function withNetworkOptions(command: Command): Command {
  return command
    .option("--validators <count>", "validator nodes (default 4)", "4")
    .option("--nodes <count>", "additional non-voting nodes (default 0)", "0")
    .option("--base-port <port>", "port of the first HTTP interface; peer ports are 100 higher (default 8080)", "8080");
}

/** Makes the folders. @throws CodedError CONFIG_INVALID */
export async function createNetwork(context: CommandContext, options: NetworkOptions, path: string): Promise<NewNetwork> {
  const [validators, nodes, basePort] = [
    countOf("--validators", options.validators),
    countOf("--nodes", options.nodes),
    countOf("--base-port", options.basePort),
  ];
  // Only this command and the node itself need them.
  const { createNetworkFolders } = await import("#node/config/files/network-folders.ts");
  const { peerNameOf } = await import("#node/network/peer-name.ts");
  const { clock, random } = context;
  return createNetworkFolders({ path, validators, nodes, basePort, nowMs: clock.nowMs(), random, peerName: peerNameOf });
}

/** A network as JSON. */
export function networkJson({ genesis, nodes }: NewNetwork): object {
  return {
    chain_id: genesis.chain_id,
    nodes: nodes.map(({ dataDir, url, p2pAddress, isValidator }) => ({
      data_dir: dataDir,
      url,
      p2p_address: p2pAddress,
      mode: isValidator ? "validator" : "full",
    })),
  };
}

export function networkLines({ genesis, nodes }: NewNetwork): readonly string[] {
  return [
    `Network ${genesis.chain_id}`,
    ...nodes.map(({ url, isValidator, dataDir }) => `${url}  ${isValidator ? "validator" : "full     "}  ${dataDir}`),
  ];
}

function countOf(name: string, text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new CodedError("CONFIG_INVALID", `${name} is "${text}": use a whole number`);
}
