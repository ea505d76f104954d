// parley gateway: the public interface over PostgreSQL, for operators who serve many people with several processes.
import type { Command } from "commander";
import { type ListenAddress, parseListenAddress } from "#node/config/listen-address.ts";
import type { GatewaySettings } from "#node/gateway/public/run-gateway.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { readToken } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { collect, feeValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface Options {
  readonly database: readonly string[];
  readonly replica: readonly string[];
  readonly node: readonly string[];
  readonly nodeTokenFile?: string;
  readonly listen: string;
  readonly relayFee?: number;
  readonly log: string;
}

const DEFAULT_LISTEN = "127.0.0.1:8090";

export function addGatewayCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("gateway")
    .description("serve the public interface to many people, with mailboxes and explorer in PostgreSQL; several processes share a database")
    .option(
      "--database <url>",
      "postgres://user@host/database; given again, another address of it: the first that is no standby is used",
      collect,
      [],
    )
    .option(
      "--replica <url>",
      "postgres://user@host/database of one that follows it: the explorer is read there; given again, another one",
      collect,
      [],
    )
    .option("--node <url>", "http address of a node; given again, another one that is asked when the first is away", collect, [])
    .option("--node-token-file <file>", "file whose first line is the API token of the nodes, which their mail needs")
    .option("--listen <address>", "host:port of the interface; :port listens on all interfaces", DEFAULT_LISTEN)
    .option(
      "--relay-fee <amount>",
      "the least fee for which an envelope finds room beside those without one: 0.001T, or whole µT",
      feeValue,
    )
    .option("--log <format>", "log format on standard error: text or json", "text");
  withExamples(
    command,
    "gateway --database postgres://parley@db1/parley --node http://127.0.0.1:8080 --node-token-file token",
    "gateway --database postgres://parley@db1/parley --database postgres://parley@db2/parley --node http://n1:8080 --node http://n2:8080",
  ).action(async (options: Options) => {
    const { runGateway } = await import("#node/gateway/public/run-gateway.ts");
    await runGateway(settingsOf(options, context));
  });
}

function settingsOf(options: Options, { environment }: CommandContext): GatewaySettings {
  const { database, replica, node, log, relayFee = 0 } = options;
  const wrong = [...database, ...replica].find((address) => !/^postgres(ql)?:\/\/\S+$/.test(address));
  if (database.length === 0 || wrong !== undefined)
    throw new CodedError("CONFIG_INVALID", "Name the database with --database postgres://user@host/database");
  if (node.length === 0 || !node.every((address) => /^https?:\/\/[^\s/]+\/*$/.test(address)))
    throw new CodedError("CONFIG_INVALID", "Name a node with --node http://host:port");
  if (log !== "text" && log !== "json") throw new CodedError("CONFIG_INVALID", `--log is "${log}": write text or json`);
  const listen = parseListenAddress(options.listen);
  const token = options.nodeTokenFile === undefined ? "" : readToken(options.nodeTokenFile);
  return {
    databases: database,
    replicas: replica,
    nodes: node.map((address) => ({ url: address.replace(/\/+$/, ""), token })),
    listen,
    api: apiOptions(listen, environment),
    leastFeeUt: relayFee,
    log,
  };
}

function apiOptions({ host }: ListenAddress, environment: CommandContext["environment"]): GatewaySettings["api"] {
  const { apiToken, apiPrivate, disableSwagger, allowedHosts, allowedOrigins, rateLimitLoopback, inboxAuth, trustedProxies } = environment;
  return {
    listenHost: host,
    token: apiToken,
    isPrivate: apiPrivate ?? false,
    servesSwagger: disableSwagger !== true,
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
    ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
    ...(rateLimitLoopback === undefined ? {} : { limitsLoopback: rateLimitLoopback }),
    ...(inboxAuth === undefined ? {} : { inboxAuth }),
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
  };
}
