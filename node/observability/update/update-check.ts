// Compares the running build with the latest release at the operator's source. Informational: nothing is downloaded or installed.
import type { BuildInfo } from "#node/config/build-info.ts";
import type { LatestRelease, UpdateCheck } from "#shared/api/schemas/discovery.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import { compareVersions } from "./compare-versions.ts";
import { readRelease } from "./read-release.ts";

export interface UpdateCheckOptions {
  /** Address of the latest release, http or https. */
  readonly url: string;
  readonly current: BuildInfo;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: Clock;
}

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1_048_576;
/** The source is asked at most this often, however many ask the node. */
const REMEMBER_RESULT_MS = 600_000;
const REMEMBER_FAILURE_MS = 60_000;

/** A check that remembers its last result, or failure, for a while. The function throws CodedError UPSTREAM_FAILED. */
export function createUpdateCheck(options: UpdateCheckOptions): () => Promise<UpdateCheck> {
  const { clock } = options;
  let last: Promise<UpdateCheck> | undefined;
  let cachedUntilMs = 0;
  return () => {
    if (last !== undefined && clock.monotonicMs() < cachedUntilMs) return last;
    // Until the source has responded, every caller waits for the same request.
    cachedUntilMs = Number.POSITIVE_INFINITY;
    const remember = (durationMs: number): void => {
      cachedUntilMs = clock.monotonicMs() + durationMs;
    };
    last = check(options);
    last.then(
      () => remember(REMEMBER_RESULT_MS),
      () => remember(REMEMBER_FAILURE_MS),
    );
    return last;
  };
}

async function check(options: UpdateCheckOptions): Promise<UpdateCheck> {
  const { current, clock, url } = options;
  const latest = await askSource(options);
  const { origin, pathname } = new URL(url);
  return {
    current: { ...current },
    latest,
    update_available: isNewer(latest, current),
    checked_at: new Date(clock.nowMs()).toISOString(),
    source: `${origin}${pathname}`,
  };
}

/** By version where both tags are one; otherwise another tag of another commit is taken for newer. */
function isNewer(latest: LatestRelease, current: BuildInfo): boolean {
  const order = compareVersions(latest.tag, current.tag);
  if (order !== undefined) return order > 0;
  return latest.tag !== current.tag && (latest.commit === "" || latest.commit !== current.commit);
}

async function askSource({ url, fetch }: UpdateCheckOptions): Promise<LatestRelease> {
  let value: unknown;
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json", "user-agent": "parley-node" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) throw new CodedError("UPSTREAM_FAILED", `The update source answered ${response.status}`);
    value = JSON.parse(await readText(response));
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw new CodedError("UPSTREAM_FAILED", "The update source cannot be reached or does not answer in JSON", { cause });
  }
  const release = readRelease(value);
  if (release === undefined) throw new CodedError("UPSTREAM_FAILED", "The update source names no release");
  return release;
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new CodedError("UPSTREAM_FAILED", "The update source answers with more than a release");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
