// Entry of the agent's program. `parley agent` starts it with what is asked as its only argument; no password is in it.
import type { AgentRequest } from "#node/cli/commands/agent/agent-request.ts";
import { EXIT_CODES, exitCodeOf } from "#node/cli/session/exit-codes.ts";
import { explainError } from "#node/cli/session/explain-error.ts";
import { onOneLine } from "#node/cli/session/printing/printable-line.ts";
import { createProcessTerminal } from "#node/cli/session/process-terminal.ts";
import { readEnvironment } from "#node/config/environment.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { agentPassword, type PasswordSources } from "./keyring/password.ts";

const terminal = createProcessTerminal();

async function main(request: AgentRequest): Promise<void> {
  const environment = readEnvironment();
  const sources: PasswordSources & { readonly terminal: typeof terminal } = { passwordFile: request.passwordFile, environment, terminal };
  const askPassword = (): Promise<string> => agentPassword(sources);
  const { dir, json } = request;
  const say = (value: unknown, lines: readonly string[]): void => {
    for (const line of json ? [JSON.stringify(value)] : lines) terminal.out(line);
  };
  switch (request.command) {
    case "init": {
      const { initAgent } = await import("./commands/init.ts");
      const made = await initAgent(
        dir,
        { typesPhrase: request.typesPhrase, phraseOut: request.phraseOut, isShown: process.stderr.isTTY },
        sources,
      );
      return say(made, [made.address, `Send tokens there, then: parley agent publish --dir ${dir}`]);
    }
    case "link": {
      const [{ linkAgent }, { nodeSourceOf }] = await Promise.all([import("./commands/link.ts"), import("./commands/node-source.ts")]);
      const made = await linkAgent({ dir, name: request.name, node: nodeSourceOf(request) }, sources);
      return say(made, [`Linked to ${made.address}. This agent writes messages and never pays.`]);
    }
    case "publish": {
      const [{ publishAgent }, { nodeSourceOf }] = await Promise.all([
        import("./commands/publish.ts"),
        import("./commands/node-source.ts"),
      ]);
      const published = await publishAgent({ dir, name: request.name, node: nodeSourceOf(request) }, askPassword);
      return say({ transactions: published }, published.length === 0 ? ["Everything is published already."] : published);
    }
    case "run":
      return await serve(request, askPassword, environment.runtimeDir);
    default:
      return await grant(request, askPassword, say);
  }
}

async function serve(
  request: Extract<AgentRequest, { command: "run" }>,
  askPassword: () => Promise<string>,
  runtimeDir: string | undefined,
): Promise<void> {
  const [{ runAgent }, { nodeSourceOf }, { parseLoopback }] = await Promise.all([
    import("./commands/run.ts"),
    import("./commands/node-source.ts"),
    import("./network/loopback.ts"),
  ]);
  const { dir, unlock, listen, json } = request;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  process.on("disconnect", () => resolve());
  const node = nodeSourceOf(request);
  const start = { runtimeDir, node, listen: listen === undefined ? undefined : parseLoopback(listen) };
  await runAgent({ dir, unlock, start, terminal, isJson: json, ended }, askPassword);
}

async function grant(
  request: Exclude<AgentRequest, { command: "init" | "link" | "publish" | "run" }>,
  askPassword: () => Promise<string>,
  say: (value: unknown, lines: readonly string[]) => void,
): Promise<void> {
  const { allowProgram, listPrograms, endProgram, confirmProgram } = await import("./commands/grant-commands.ts");
  const { describeConnection, describeConnections } = await import("./commands/describe.ts");
  if (request.command === "allow") {
    const connection = await allowProgram(request, askPassword);
    say(describeConnection(connection), [`${connection.id} ${connection.name}: the token is in ${request.out}`]);
  } else if (request.command === "list") {
    const connections = await listPrograms(request.dir, askPassword);
    say({ connections: connections.map(describeConnection) }, describeConnections(connections));
  } else if (request.command === "end") {
    await endProgram(request.dir, request.connection, askPassword);
    say({ ended: request.connection }, [`${request.connection} has ended`]);
  } else {
    await confirmProgram(request.dir, request.connection, askPassword);
    say({ confirmed: request.connection }, [`${request.connection} goes on`]);
  }
}

const request = JSON.parse(process.argv[2] ?? "{}") as AgentRequest;
try {
  await main(request);
  process.exitCode = EXIT_CODES.ok;
} catch (error) {
  const message = onOneLine(explainError(error));
  terminal.err(request.json ? JSON.stringify({ error: message, code: isCodedError(error) ? error.code : "INTERNAL" }) : message);
  process.exitCode = exitCodeOf(error);
}
// The channel to the command line keeps this process alive.
if (process.connected) process.disconnect();
