// parley agent: keyring, messenger and gateway for programs without a window. Its commands run in a process of their own, agent/main.ts.
import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import envPaths from "env-paths";
import { withExamples } from "../../session/examples.ts";
import { collect, countValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";
import type { AgentNodeOptions, AgentPlace, AgentRequest } from "./agent-request.ts";

interface PlaceOptions {
  readonly dir: string;
  readonly passwordFile?: string;
  readonly json?: boolean;
}

type Run = (request: AgentRequest) => Promise<void>;

const MAX_DAYS = 365;
const DEFAULT_DAYS = "30";

/** Adds the command and its own; `run` runs the agent's program. */
export function addAgentCommands(program: Command, _context: CommandContext, run: Run): void {
  const agent = program.command("agent").description("wallet and messenger without a window, for programs that you let in");
  addInit(agent, run);
  addRun(agent, run);
  addPublish(agent, run);
  addAllow(agent, run);
  addConnections(agent, run);
}

function addInit(agent: Command, run: Run): void {
  const command = withPlace(agent.command("init"))
    .description("make the agent's folder: with an identity of its own, or as a device that another one links")
    .option("--phrase", "type the recovery phrase of an identity that exists")
    .option("--phrase-out <file>", "new file for the words of a new phrase, readable by you alone, where there is no terminal to show them")
    .option("--link", "be linked by another device of yours: the agent then writes messages and never pays")
    .option("--name <text>", "name of the linked device, public on the chain", "agent");
  withExamples(withNode(command), "agent init", "agent init --link --name shop --password-file secret.txt").action(
    async (
      options: PlaceOptions &
        AgentNodeOptions & { readonly phrase?: boolean; readonly phraseOut?: string; readonly link?: boolean; readonly name: string },
    ) => {
      const { phrase = false, phraseOut, link = false, name } = options;
      if (phrase && link) throw new InvalidArgumentError("--phrase and --link are two ways to keys: leave one of them out");
      if (link) await run({ command: "link", name, ...placeOf(options), ...nodeOf(options) });
      else
        await run({
          ...{ command: "init", typesPhrase: phrase, ...placeOf(options) },
          ...(phraseOut === undefined ? {} : { phraseOut: resolve(phraseOut) }),
        });
    },
  );
}

function addRun(agent: Command, run: Run): void {
  const command = withNode(withPlace(agent.command("run")))
    .description("serve programs that were let in, until Ctrl-C")
    .addOption(
      new Option("--unlock <what>", "what is unlocked: messages alone, or the wallet too")
        .choices(["messages", "wallet"])
        .default("messages"),
    )
    .option("--listen <address>", "also serve on a port of the loopback interface, for containers, such as 127.0.0.1:7070");
  withExamples(command, "agent run --unlock wallet --password-file secret.txt", "agent run --endpoint ~/parley/endpoint.json").action(
    async (options: PlaceOptions & AgentNodeOptions & { readonly unlock: "messages" | "wallet"; readonly listen?: string }) => {
      const { unlock, listen } = options;
      await run({ command: "run", unlock, ...(listen === undefined ? {} : { listen }), ...placeOf(options), ...nodeOf(options) });
    },
  );
}

function addPublish(agent: Command, run: Run): void {
  const command = withNode(withPlace(agent.command("publish")))
    .description("publish the agent's message key, once its account has tokens for the fee")
    .option("--name <text>", "name of the device, public on the chain", "agent");
  withExamples(command, "agent publish --name shop").action(
    async (options: PlaceOptions & AgentNodeOptions & { readonly name: string }) => {
      await run({ command: "publish", name: options.name, ...placeOf(options), ...nodeOf(options) });
    },
  );
}

function addAllow(agent: Command, run: Run): void {
  const command = withNode(withPlace(agent.command("allow")))
    .description("let a program in, for the password; its token goes into a file")
    .requiredOption("--name <text>", "name of the program")
    .requiredOption("--scope <scope>", "what it may do, such as pay:each=2T,total=10T/day,to=@carol; repeat for more", collect, [])
    .option("--chosen <who>", "person or group:<id> of its messages and contacts; repeat for more", collect, [])
    .option("--days <n>", "how long it may", daysValue, Number(DEFAULT_DAYS))
    .requiredOption("--out <file>", "new file for the token, readable by you alone");
  withExamples(
    command,
    "agent allow --name till --scope invoices --out till.token",
    "agent allow --name bot --scope messages.read:in=chosen --scope messages.send:to=chosen,rate=50/day --chosen @bob --out bot.token",
  ).action(
    async (
      options: PlaceOptions &
        AgentNodeOptions & { name: string; scope: readonly string[]; chosen: readonly string[]; days: number; out: string },
    ) => {
      const { name, scope: scopes, chosen, days, out } = options;
      await run({ command: "allow", name, scopes, chosen, days, out: resolve(out), ...placeOf(options), ...nodeOf(options) });
    },
  );
}

function addConnections(agent: Command, run: Run): void {
  withExamples(withPlace(agent.command("list")).description("list the programs that were let in"), "agent list --json").action(
    async (options: PlaceOptions) => await run({ command: "list", ...placeOf(options) }),
  );
  for (const [name, about] of [
    ["end", "end the connection of a program"],
    ["confirm", "confirm a connection that rests because its files were replaced"],
  ] as const)
    withExamples(
      withPlace(agent.command(name)).description(about).argument("<connection>", "id of the connection, as the list shows it"),
      `agent ${name} 0123456789abcdef`,
    ).action(async (connection: string, options: PlaceOptions) => await run({ command: name, connection, ...placeOf(options) }));
}

function withPlace(command: Command): Command {
  return command
    .option("--dir <dir>", "folder of the agent", envPaths("parley-agent", { suffix: "" }).data)
    .option(
      "--password-file <file>",
      "file of yours alone whose first line is the password (else the credential parley-password, else prompt)",
    )
    .option("--json", "print the result as JSON");
}

function withNode(command: Command): Command {
  return command
    .option("--node <url>", "address of the node (default: your node on this machine)")
    .option("--endpoint <file>", "endpoint.json of your node on this machine, where it is not in its usual place")
    .option("--token-file <file>", "file whose first line is the node's API token");
}

function placeOf({ dir, passwordFile, json = false }: PlaceOptions): AgentPlace {
  return { dir: resolve(dir), json, ...(passwordFile === undefined ? {} : { passwordFile: resolve(passwordFile) }) };
}

function nodeOf({ node, endpoint, tokenFile }: AgentNodeOptions): AgentNodeOptions {
  return {
    ...(node === undefined ? {} : { node }),
    ...(endpoint === undefined ? {} : { endpoint: resolve(endpoint) }),
    ...(tokenFile === undefined ? {} : { tokenFile: resolve(tokenFile) }),
  };
}

function daysValue(text: string): number {
  const days = countValue(text);
  if (days > MAX_DAYS) throw new InvalidArgumentError(`It is at most ${MAX_DAYS} days.`);
  return days;
}
