// The time of a message that disappears, by two clocks: it goes from the screen by the own one, and from the store once both have moved so
// far. Pure.
import type { MessageExpiry } from "../records.ts";

/** Both clocks, milliseconds since 1970, or how much is left by each. */
export interface OwnAndChain {
  readonly ownMs: number;
  readonly chainMs: number;
}

/** The time begins, or began so long ago. */
export function begunAt({ ownMs, chainMs }: OwnAndChain, agoMs = 0): Pick<MessageExpiry, "chainAt"> & { readonly startedAt: number } {
  return { startedAt: ownMs - agoMs, chainAt: chainMs - agoMs };
}

/** When it is over by the time of the chain; undefined while it has not begun. */
export function overByChain({ seconds, startedAt, chainAt }: MessageExpiry): number | undefined {
  return startedAt === null ? undefined : (chainAt ?? startedAt) + seconds * 1_000;
}

/** How long until it is over, by each clock; negative since then. A clock before the beginning was wrong then, or is now: the other decides. */
export function timeLeft(expiry: MessageExpiry, { ownMs, chainMs }: OwnAndChain): OwnAndChain {
  const { seconds, startedAt } = expiry;
  const left = (overByChain(expiry) ?? Number.POSITIVE_INFINITY) - chainMs;
  return { ownMs: startedAt === null || ownMs < startedAt ? left : startedAt + seconds * 1_000 - ownMs, chainMs: left };
}

/** True once nothing may remain of it. */
export function isOverByBoth(expiry: MessageExpiry, now: OwnAndChain): boolean {
  const { ownMs, chainMs } = timeLeft(expiry, now);
  return ownMs <= 0 && chainMs <= 0;
}

/** True for what is not shown any more: its time is over by the own clock. */
export function isHidden({ expiresAt }: { readonly expiresAt?: number | null }, ownMs: number): boolean {
  return typeof expiresAt === "number" && expiresAt <= ownMs;
}
