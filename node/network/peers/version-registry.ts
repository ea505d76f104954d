// Versions that nodes announced. The newest announcement of a node counts; the table has a bound.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { ValidationResult } from "../peer-network.ts";
import { cleanText, type NodeVersions, type VersionAnnouncement } from "../wire/version-announcement.ts";

interface Entry extends NodeVersions {
  readonly atSec: number;
  /** Own clock, when the announcement came. */
  readonly learnedAtMs: number;
}

/** Versions by node key. */
export class VersionRegistry {
  readonly #isKept: (nodeKey: PublicKeyHex) => boolean;
  readonly #entries = new Map<PublicKeyHex, Entry>();

  /** Nodes that `isKept` says make no room for others: anyone can announce as many as he likes. */
  constructor(isKept: (nodeKey: PublicKeyHex) => boolean = (): boolean => false) {
    this.#isKept = isKept;
  }

  get(nodeKey: PublicKeyHex): NodeVersions | undefined {
    return this.#entries.get(nodeKey);
  }

  /** True when the node announced itself lately, and after it was last seen to go. */
  isAnnounced(nodeKey: PublicKeyHex, nowMs: number, goneAtMs = Number.NEGATIVE_INFINITY): boolean {
    const learnedAtMs = this.#entries.get(nodeKey)?.learnedAtMs ?? Number.NEGATIVE_INFINITY;
    return learnedAtMs > goneAtMs && nowMs - learnedAtMs < 2 * NETWORK_LIMITS.versionIntervalMs;
  }

  /** Takes a signed announcement: forwarded when it is of about now and newer than what is known. */
  learn({ nodeKey, version, apiVersion, atSec }: VersionAnnouncement, nowMs: number): ValidationResult {
    if (Math.abs(atSec * 1000 - nowMs) > NETWORK_LIMITS.versionSkewMs) return "ignore";
    if ((this.#entries.get(nodeKey)?.atSec ?? 0) >= atSec) return "ignore";
    this.#entries.delete(nodeKey);
    if (this.#entries.size >= NETWORK_LIMITS.versionEntries) this.#dropOldest();
    this.#entries.set(nodeKey, { version: cleanText(version), apiVersion: cleanText(apiVersion), atSec, learnedAtMs: nowMs });
    return "accept";
  }

  #dropOldest(): void {
    for (const key of this.#entries.keys()) {
      if (this.#isKept(key)) continue;
      this.#entries.delete(key);
      return;
    }
  }
}
