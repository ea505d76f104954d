// Letting programs in and ending that, by the person at the command line: the same checks as behind the desktop's window, with the password
// in place of six digits that are typed.

import { MAX_CHOSEN, MAX_CONNECTION_DAYS, MAX_RECIPIENTS, MAX_SCOPE_CHARS, MAX_SCOPES } from "#shared/apps/app-limits.ts";
import type { ConnectionEntry } from "#shared/apps/messages/approval-api.ts";
import type { ResolvedName } from "#shared/apps/scopes/narrow-scopes.ts";
import { parseScopes } from "#shared/apps/scopes/parse-scopes.ts";
import { isSpending } from "#shared/apps/scopes/scopes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { exactly, listOf, matching, type Shape, text, whole } from "#shared/keyring/shapes.ts";
import type { AgentKeyring } from "./agent-keyring.ts";

/** A program that is let in. */
export interface AllowInput {
  readonly name: string;
  /** Scopes as texts. */
  readonly scopes: readonly string[];
  /** Whose the names in the scopes are. */
  readonly names: readonly ResolvedName[];
  /** Hex keys and ids of groups. */
  readonly chosen: readonly string[];
  readonly days: number;
  readonly password: string;
}

/** What the person does. */
export interface GrantsApi {
  /** Rejects unless the password is right. @throws CodedError as a grant of the desktop, and BAD_REQUEST for what no agent can ever do. */
  allow(input: AllowInput): Promise<{ readonly token: string; readonly connection: ConnectionEntry }>;
  list(): Promise<readonly ConnectionEntry[]>;
  end(input: { readonly connection: string }): Promise<void>;
  confirm(input: { readonly connection: string; readonly password: string }): Promise<void>;
}

const Id = text(64, 1);
const Password = text(1_024, 1);

/** Shapes of the methods, for those who call them from another process. */
export const GRANTS_METHODS = {
  allow: exactly({
    name: text(256),
    scopes: listOf(text(MAX_SCOPE_CHARS, 1), MAX_SCOPES),
    names: listOf(exactly({ name: text(65, 1), key: matching(/^[0-9a-f]{64}$/) }), MAX_SCOPES * MAX_RECIPIENTS),
    chosen: listOf(matching(/^(?:[0-9a-f]{64}|[0-9a-f]{32})$/), MAX_CHOSEN),
    days: whole(1, MAX_CONNECTION_DAYS),
    password: Password,
  }),
  list: ((value) => value === undefined) as Shape,
  end: exactly({ connection: Id }),
  confirm: exactly({ connection: Id, password: Password }),
} as const satisfies Record<keyof GrantsApi, Shape>;

const REASON = "Allowed at the command line";

type GrantsKeyring = Pick<AgentKeyring, "apps" | "approvals" | "keyring">;

/** Grants of an open keyring. */
export function createGrants(agent: GrantsKeyring): GrantsApi {
  const { approvals } = agent;
  let last: Promise<unknown> = Promise.resolve();
  return {
    // One request waits at a time: commands at once take turns.
    allow: (input): ReturnType<GrantsApi["allow"]> => {
      const result = last.then(() => allowOne(agent, input));
      last = result.catch(() => undefined);
      return result;
    },
    list: async () => (await approvals.overview()).connections,
    end: (input) => approvals.end(input),
    confirm: (input) => approvals.confirm(input),
  };
}

async function allowOne(
  { apps, approvals, keyring }: GrantsKeyring,
  { name, scopes, names, chosen, days, password }: AllowInput,
): ReturnType<GrantsApi["allow"]> {
  requirePossible(scopes);
  // The password is asked for whatever the scopes are: here nothing else shows that it is the person.
  await keyring.apps.requirePassword(password);
  const request = await apps.openOwnRequest({ name, reason: REASON, grant: scopes, names });
  const grant = (await approvals.overview()).request?.scopes ?? scopes;
  try {
    const connection = await approvals.grant({ id: request.id, code: request.code, grant, chosen, days, password });
    const fetched = await apps.fetchRequest({ id: request.id, secret: request.secret });
    if (fetched.state !== "granted") throw new CodedError("INVARIANT", "A grant gave no token");
    return { token: fetched.token, connection };
  } catch (error) {
    await approvals.refuseRequest({ id: request.id }).catch(() => undefined);
    throw error;
  }
}

/** No window asks: what would always be asked about could never be paid. */
function requirePossible(texts: readonly string[]): void {
  if (parseScopes(texts).some((scope) => isSpending(scope) && scope.ask === "always"))
    throw new CodedError(
      "BAD_REQUEST",
      "An agent has no window that asks: leave out ask=always, and messages.read beside pay or call, which always asks",
      { details: { field: "scope" } },
    );
}
