// Says once of each approved change of the network what it is, and from then on in every status that it comes.
import { dueSeconds, type PendingUpgrade } from "#node/ledger/records/params-records.ts";
import type { Log } from "#node/observability/log.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import { type Upgrade, upgradeId } from "#shared/protocol/primitives/params.ts";

/** What a node knows of the change that waits. */
export class UpgradeNotice {
  /** Versions of headers and rules that the program has. */
  readonly knownVersions: readonly number[];
  readonly #log: Pick<Log, "info" | "warn">;
  #pending: PendingUpgrade | undefined;
  #id: string | undefined;

  constructor(knownVersions: readonly number[], log: Pick<Log, "info" | "warn">) {
    this.knownVersions = knownVersions;
    this.#log = log;
  }

  /** Takes over what the newest state says. */
  look(pending: PendingUpgrade | undefined): void {
    this.#pending = pending;
    const id = pending === undefined ? undefined : upgradeId(pending.upgrade);
    if (id === this.#id) return;
    this.#id = id;
    if (pending !== undefined) this.#announce(pending);
  }

  /** The `upgrade` field of the status. */
  describe(): NodeStatus["upgrade"] {
    if (this.#pending === undefined) return undefined;
    const { version, atHeight } = this.#pending.upgrade;
    const notBefore = dueSeconds(this.#pending);
    return { ...(version === null ? {} : { version }), at_height: atHeight, not_before: notBefore, is_known: this.#isKnown(version) };
  }

  #announce(pending: PendingUpgrade): void {
    const { upgrade } = pending;
    const when = `not before block ${upgrade.atHeight} and ${new Date(dueSeconds(pending) * 1_000).toISOString()}`;
    if (this.#isKnown(upgrade.version))
      this.#log.info({ change: wordsOf(upgrade) }, `The validators approved a change of the network, ${when}`);
    else
      this.#log.warn(
        { change: wordsOf(upgrade) },
        `The validators approved version ${upgrade.version} of the rules, ${when}. This program lacks it and stops there: install a release that has it`,
      );
  }

  #isKnown(version: number | null): boolean {
    return version === null || this.knownVersions.includes(version);
  }
}

function wordsOf({ set, version }: Upgrade): string {
  const changes = set.map(({ name, value }) => `${name} ${value}`);
  return [...changes, ...(version === null ? [] : [`version ${version}`])].join(", ");
}
