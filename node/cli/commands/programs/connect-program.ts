// What parley connect does: the request, the digits, the wait, the file.
import { connect, type Me, type Parley } from "#client/index.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { report } from "../../session/client-session.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { asCommandFailure } from "./client-failure.ts";

/** What was written on the command line. */
export interface ConnectCommandOptions {
  readonly name: string;
  readonly scope: readonly string[];
  readonly reason?: string;
  readonly tokenFile?: string;
  readonly endpoint?: string;
  readonly json?: boolean;
}

/** Parley may be starting, or another program may be asking; more than that is not waited for at a terminal. */
const PATIENCE_MS = 10_000;

/** Asks, waits, and reports. @throws CodedError */
export async function connectProgram(context: CommandContext, options: ConnectCommandOptions): Promise<void> {
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
    `Its token is in ${parley.tokenFile}: anyone who can read it can do this.`,
  ]);
}

function leftOf({ left }: Me, scope: string): string {
  const found = left.find((entry) => entry.scope === scope);
  return found === undefined ? "" : `, ${formatAmount(found.left_ut)} left`;
}
