// Asking to be let in: a code that the program shows, and the token when the person has typed it.
import { isParleyError, ParleyError } from "./client-error.ts";
import { type Patience, pause } from "./patience.ts";
import type { OpenRequest, TokenFile } from "./token-file.ts";
import type { Transport } from "./transport.ts";

/** A scope as a text, such as `pay:each=2T,total=10T/day,to=@carol`, or as an object with `name` and the same keys. */
export type ScopeInput = string | Readonly<Record<string, string | readonly string[]>>;

/** What a program asks for. */
export interface Asking extends Patience {
  readonly name: string;
  readonly reason: string;
  readonly scopes: readonly ScopeInput[];
  readonly onCode: (code: string, expiresAt: Date) => void;
}

/** How often the program looks whether the person has answered. */
const LOOK_EVERY_MS = 1_000;
const LOOKS_FOR_ANOTHER = 10;

/** A token that works: the one of the file, or a new one. @throws ParleyError, APP_DENIED when the person refuses */
export async function obtainToken(transport: Transport, file: TokenFile, asking: Asking): Promise<void> {
  let token = file.read();
  transport.token = (): string | undefined => file.read() ?? token;
  if (token !== undefined && (await isGood(transport, asking))) return;
  token = await ask(transport, file, asking);
}

async function isGood(transport: Transport, patience: Patience): Promise<boolean> {
  try {
    await transport.send("getMe", {}, { ...patience, waitsForUnlock: true });
    return true;
  } catch (error) {
    if (isParleyError(error, "APP_TOKEN_INVALID", "APP_ENDED")) return false;
    throw error;
  }
}

async function ask(transport: Transport, file: TokenFile, asking: Asking): Promise<string> {
  const before = transport.token();
  for (;;) {
    const request = stillOpen(file, asking) ?? (await openRequest(transport, file, asking));
    asking.onCode(request.code, new Date(request.expires_at * 1000));
    const { state, token } = await answerTo(request, transport, asking);
    if (token !== undefined) {
      file.write(token);
      // It is kept: Parley ends a connection whose token is never used, because its answer may have been lost.
      await transport.send("getMe", {}, { ...asking, token, waitsForUnlock: true });
      return token;
    }
    file.forgetRequest();
    if (state === "refused") throw new ParleyError("APP_DENIED", "The person refused the connection, or three wrong numbers were typed");
    if (state === "expired") throw new ParleyError("APP_TOO_LATE", "The person did not answer in time: run the program again to ask again");
    const written = await writtenByAnother(file, before, asking);
    if (written !== undefined) return written;
  }
}

/** A token that was fetched already: by another process of this program, which is writing it, or by one that was killed before it could. */
async function writtenByAnother(file: TokenFile, before: string | undefined, { signal }: Asking): Promise<string | undefined> {
  for (let look = 0; look < LOOKS_FOR_ANOTHER; look += 1) {
    const written = file.read();
    if (written !== undefined && written !== before) return written;
    await pause(LOOK_EVERY_MS / LOOKS_FOR_ANOTHER, signal);
  }
  return undefined;
}

/** The request that this program made before it was ended, when it asked for the same. */
function stillOpen(file: TokenFile, asking: Asking): OpenRequest | undefined {
  const request = file.readRequest();
  return request?.asked === askedOf(asking) && request.expires_at * 1000 > Date.now() ? request : undefined;
}

async function openRequest(transport: Transport, file: TokenFile, asking: Asking): Promise<OpenRequest> {
  const { name, reason, scopes } = asking;
  const opened = await transport.send("openRequest", { body: { name, reason, grant: scopes } }, { ...asking, waitsForUnlock: true });
  const request = { ...opened, asked: askedOf(asking) };
  file.writeRequest(request);
  return request;
}

function askedOf({ name, reason, scopes }: Asking): string {
  return JSON.stringify([name, reason, scopes]);
}

/** What came of it; without a token when that was fetched before, or when Parley no longer knows the request. */
async function answerTo({ id, secret }: OpenRequest, transport: Transport, asking: Asking): Promise<RequestState> {
  for (;;) {
    const found = await fetchRequest({ id, secret }, transport, asking);
    if (found.state !== "waiting") return found;
    await pause(LOOK_EVERY_MS, asking.signal);
  }
}

interface RequestState {
  readonly state: string;
  readonly token?: string | undefined;
}

async function fetchRequest(
  { id, secret }: Pick<OpenRequest, "id" | "secret">,
  transport: Transport,
  asking: Asking,
): Promise<RequestState> {
  try {
    return await transport.send("fetchRequest", { params: { id } }, { ...asking, token: secret, waitsForUnlock: true });
  } catch (error) {
    // Requests are in memory: Parley has started again.
    if (isParleyError(error, "NOT_FOUND")) return { state: "gone" };
    throw error;
  }
}
