// parley node: a node in this process until it is stopped.
import type { Command } from "commander";
import { defaultDataDir } from "#node/config/files/default-data-dir.ts";
import type { NodeConfig, NodeFlags } from "#node/config/node-config.ts";
import { DEFAULT_HEARTBEAT_MINUTES, DEFAULT_STATS_ADDRESS } from "#node/config/node-defaults.ts";
import { withExamples } from "../../session/examples.ts";
import { amountValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { withVersionOption } from "../../version-option.ts";
import { addReindexCommand } from "./reindex.ts";

/** Runs a node to its end and gives the exit code. */
export type RunNode = (config: NodeConfig) => Promise<number>;

export function addNodeCommand(program: Command, context: CommandContext, runNode: (config: NodeConfig) => Promise<void>): void {
  const folder = defaultDataDir();
  const started = withVersionOption(program.command("node"), context)
    .description("run a node")
    .option("--data-dir <dir>", `data folder (default ${folder})`)
    .option(
      "--stats-addr <address>",
      `host:port of the HTTP interface; :port listens on all interfaces (default ${DEFAULT_STATS_ADDRESS})`,
    );
  const command = withNetwork(started)
    .option("--snapshots <mode>", "on or off: make snapshots of the state, from which new nodes begin (default on)")
    .option(
      "--sync <way>",
      "how a node without blocks begins: snapshot (with a state that peers serve; default where the chain is older than a day) or replay (every block)",
    )
    .option(
      "--retain <what>",
      "old blocks that the node keeps: all, days like 30d, or a number like 100000blocks; what was dropped stays dropped (default all)",
    )
    .option("--mail-disk <size>", "disk that the envelopes of the mailbox take at most: a size like 16GiB or 512MiB (default 4GiB)")
    .option(
      "--carriers <mode>",
      "on or off: hide from keepers of mail which node reads which mailboxes, by way of other nodes (default on)",
    )
    .option("--own <accounts>", "your accounts, comma-separated: their transactions stay, with proofs, when --retain drops the blocks")
    .option("--genesis <file>", "join the network of this genesis file, or of the node at this http address, when the folder is new")
    .option("--dev", "create a development network with one validator and a faucet, when the folder is new")
    .option("--mode <mode>", "full, validator or light (default: validator when the node's key is in the validator set, else full)")
    .option("--signer <address>", "signer that has the validator's key: path of its socket, or host:port")
    .option("--signer-key <key>", "address or public key of the validator that the signer signs for")
    .option("--signer-pin <fingerprint>", "fingerprint of a signer with a port")
    .option("--next-signer <address>", "signer of the key that takes over with parley validator rotate-key; with -key and -pin as above")
    .option("--next-signer-key <key>", "address or public key that takes over")
    .option("--next-signer-pin <fingerprint>", "fingerprint of the next signer, where it has a port")
    .option("--checkpoint <height:hash>", "block that a light node trusts in addition to genesis, from someone you trust")
    .option("--log <format>", "log format on standard error: text or json (default text)")
    .option(
      "--relay-fee <amount>",
      "announce the node as a relay that asks this for one message: 0.001T, or whole µT; 0 for nothing",
      amountValue,
    )
    .option(
      "--heartbeat <minutes>",
      `time between two heartbeats of the node, while its account can pay for them; 0 for none (default ${DEFAULT_HEARTBEAT_MINUTES})`,
    )
    .option("--update-url <url>", "address of the latest release, for /api/update-check");
  withExamples(
    withLimits(withCallRelay(command)),
    "node --dev --data-dir data",
    "node --data-dir data --stats-addr :8080 --log json",
  ).action(async (flags: NodeFlags) => {
    // Only a node that runs checks its configuration.
    const { loadNodeConfig } = await import("#node/config/node-config.ts");
    await runNode(loadNodeConfig({ flags, environment: context.environment, defaultDataDir: folder }));
  });
  addReindexCommand(command, context, folder);
}

function withNetwork(command: Command): Command {
  return command
    .option("--p2p-addr <address>", "host:port for connections from other nodes; :port listens on all interfaces (default: none)")
    .option(
      "--bootstrap <addresses>",
      "nodes to connect to first, comma-separated: multiaddresses with /p2p/<id>, or http addresses of nodes",
    )
    .option("--announce <addresses>", "multiaddresses under which others reach the node, when they differ from --p2p-addr")
    .option("--mdns <mode>", "on or off: find nodes on the local network (default on, off when --p2p-addr is of this machine)")
    .option("--p2p-relay <role>", "offer to relay connections, use nodes that do, or off (default use, off on this machine)")
    .option(
      "--p2p-private <mode>",
      "on or off: dial private addresses that nodes report (default on where all configured ones are private)",
    )
    .option("--reserved-peers <peers>", "nodes that always find a slot here, comma-separated: ids, or multiaddresses that are dialled too")
    .option("--p2p-limit-local <mode>", "on or off: limit loopback and private addresses as public ones (default off)");
}

function withCallRelay(command: Command): Command {
  return command
    .option("--call-relay <address>", "offer a relay of calls (TURN) at this host:port over UDP and TCP; :port listens on all interfaces")
    .option("--call-relay-address <address>", "IPv4 address at which others reach the relay of calls, where it differs")
    .option("--call-relay-ports <range>", "UDP ports of the relay of calls that others send to (default 49152-49407)")
    .option(
      "--call-relay-private <mode>",
      "on or off: the relay of calls passes on into private networks and to this machine (default off)",
    )
    .option("--call-relay-daily <size>", "what the relay of calls passes on in a day: a size like 20GiB or 512MiB (default 20GiB)");
}

function withLimits(command: Command): Command {
  return command
    .option("--rate-limit <count>", "sustained requests per second and address (default 50)")
    .option("--rate-burst <count>", "burst of requests per address (default 200)")
    .option("--body-limit <bytes>", "largest request body (default 2097152)")
    .option("--frame-limit <bytes>", "largest WebSocket frame (default 262144)")
    .option("--subscriptions <count>", "topics per WebSocket (default 64)")
    .option("--connections-per-ip <count>", "WebSockets per address (default 64)")
    .option("--tcp-connections <count>", "TCP connections of the HTTP interface in total (default 4096)")
    .option("--tcp-per-ip <count>", "TCP connections per address (default 256)");
}
