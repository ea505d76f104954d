// parley connect: asks the Parley of this user for a connection, and keeps its token in a file for a program that has no client of its own.
import type { Command } from "commander";
import { connect, type Me, type Parley } from "#client/index.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { asCommandFailure } from "./client-failure.ts";

interface ConnectCommandOptions {
  readonly name: string;
  readonly scope: readonly string[];
  readonly reason?: string;
  readonly tokenFile?: string;
  readonly endpoint?: string;
  readonly json?: boolean;
}

/** Parley may be starting, or another program may be asking; more than that is not waited for at a terminal. */
const PATIENCE_MS = 10_000;

export function addConnectCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("connect")
    .description("ask your Parley to let a program in: prints six digits to type there, waits, and keeps the token in a file")
    .requiredOption("--name <name>", "name that the person sees, at most 32 characters")
    .requiredOption("--scope <scope>", "what it may do, as pay:each=2T,total=10T/day,to=@bob; may be repeated", collect, [])
    .option("--reason <text>", "why, at most 200 characters")
    .option("--token-file <file>", "file for the token (default: by its name in the folder of your settings)")
    .option("--endpoint <file>", "endpoint.json of your Parley, where it is not in its usual place")
    .option("--json", "print the result as JSON");
  withExamples(
    command,
    "connect --name Till --scope invoices --scope wallet",
    "connect --name Till --scope pay:each=2T,total=10T/day,to=@bob --token-file till.token",
  ).action((options: ConnectCommandOptions) => connectProgram(context, options));
}

function collect(scope: string, before: readonly string[]): readonly string[] {
  return [...before, scope];
}

async function connectProgram(context: CommandContext, options: ConnectCommandOptions): Promise<void> {
  const { name, scope: scopes, reason, tokenFile, endpoint } = options;
  let hasAsked = false;
  try {
    const parley = await connect({
      ...{ name, scopes, patienceMs: PATIENCE_MS },
      ...(reason === undefined ? {} : { reason }),
      ...(tokenFile === undefined ? {} : { tokenFile }),
      ...(endpoint === undefined ? {} : { endpoint }),
      onCode: (code, expiresAt) => {
        hasAsked = true;
        const [first, second] = [code.slice(0, 3), code.slice(3)];
        context.terminal.err(`Type ${first} ${second} in Parley, under Settings › Apps, before ${expiresAt.toLocaleTimeString()}.`);
        context.terminal.progress("Waiting for the person…");
      },
    });
    context.terminal.progress(undefined);
    await describe(context, options, { parley, hasAsked });
  } catch (error) {
    context.terminal.progress(undefined);
    throw asCommandFailure(error);
  }
}

async function describe(
  context: CommandContext,
  options: ConnectCommandOptions,
  { parley, hasAsked }: { readonly parley: Parley; readonly hasAsked: boolean },
): Promise<void> {
  const me = await parley.me();
  const { id, name, scopes, expires_at } = me;
  report(context, options, { id, name, scopes, expires_at, token_file: parley.tokenFile, asked: hasAsked }, [
    `${name} is connected${hasAsked ? "" : " already"}, until ${new Date(expires_at * 1000).toISOString()}.`,
    ...scopes.map((scope) => `  ${scope}${leftOf(me, scope)}`),
    `Its token is in ${parley.tokenFile}: whoever can read it can do this.`,
  ]);
}

function leftOf({ left }: Me, scope: string): string {
  const found = left.find((entry) => entry.scope === scope);
  return found === undefined ? "" : `, ${formatAmount(found.left_ut)} left`;
}
