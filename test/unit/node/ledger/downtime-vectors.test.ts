// The downtime rule against vectors that another program made: `make_downtime.py`.
import { describe, expect, it } from "vitest";
import type { BlockContext } from "#node/ledger/context.ts";
import { countAbsences } from "#node/ledger/downtime.ts";
import { applyTransaction } from "#node/ledger/execute.ts";
import { readSetAside } from "#node/ledger/records/absence-records.ts";
import { readValidators } from "#node/ledger/records/records.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { rotatingGenesis } from "#test/support/chain/ledger-payloads.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";
import { type Actor, blockContext, CHAIN_ID, type Draft, genesisState, START_MS } from "#test/support/worlds/ledger-world.ts";

interface Story {
  readonly name: string;
  readonly validators: readonly string[];
  readonly heights: number;
  /** Commits that lack a validator, of whichever of its keys. */
  readonly away: readonly { readonly validator: readonly string[]; readonly first: number; readonly last: number }[];
  readonly events: readonly {
    readonly height: number;
    readonly kind: "leave" | "return" | "rotate";
    readonly key: string;
    readonly to?: string;
  }[];
  readonly samples: readonly {
    readonly height: number;
    readonly counts: string | null;
    readonly members: readonly string[];
    readonly aside: Readonly<Record<string, number>>;
  }[];
}

const { stories } = readVectors<{ readonly stories: readonly Story[] }>("downtime.json");
const SIGNATURE = `${"A".repeat(86)}==`;

function commitOf(height: number, validators: ValidatorSet, missing: ReadonlySet<string>): Commit {
  const bitmap = new Uint8Array(Math.ceil(validators.length / 8));
  for (const [index, { publicKey }] of validators.entries())
    if (!missing.has(publicKey)) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
  return { height, round: 0, blockHash: "ab".repeat(32), bitmap, signatures: [] } as unknown as Commit;
}

function draftOf({ kind, key, to = "" }: Story["events"][number]): unknown {
  if (kind === "rotate") return { type: "ROTATE_KEY", payload: { new_pub: to, new_sig: SIGNATURE } };
  return { type: kind === "leave" ? "REMOVE_VALIDATOR" : "ADD_VALIDATOR", payload: { pub_key: key } };
}

describe("setting validators aside", () => {
  it.each(stories)("is as another program has it: $name", ({ validators, heights, away, events, samples }) => {
    const keys = [...validators, ...events.flatMap(({ to }) => to ?? [])];
    const genesis = rotatingGenesis(validators.map((pub) => ({ pub }) as Actor));
    const accounts = keys.map((pub_key) => ({ pub_key, balance_ut: 10_000_000 }));
    const state = genesisState({ ...genesis, accounts });
    const params = firstParams(genesis.params);
    const expected = new Map(samples.map((sample) => [sample.height, sample]));
    /** Who votes on a block: the set after the one before it. */
    let voting = readValidators(state);
    let votingNext = voting;
    for (let height = 1; height <= heights; height += 1) {
      const context: BlockContext = blockContext({ height, timeMs: START_MS + 1_000 * height, params });
      const missing = new Set(away.flatMap(({ validator, first, last }) => (first < height && height - 1 <= last ? validator : [])));
      const commit = height === 1 ? null : commitOf(height - 1, voting, missing);
      countAbsences(state, { commit, validators: voting }, context);
      for (const event of events.filter((each) => each.height === height)) {
        const random = (length: number): Uint8Array => new Uint8Array(length).fill(height & 0xff);
        const draft = { ...(draftOf(event) as Draft<"ROTATE_KEY">), from: event.key };
        const tx = { ...buildTransaction(draft, { chainId: CHAIN_ID, nowMs: context.timeMs, random }), signature: SIGNATURE };
        expect(applyTransaction(state, tx, context)).toMatchObject({ isIncluded: true, receipt: { isOk: true } });
      }
      [voting, votingNext] = [votingNext, readValidators(state)];
      const sample = expected.get(height);
      if (sample === undefined) continue;
      const counts = state.get("absence", utf8("counts"));
      const aside = keys.flatMap((key) => {
        const since = readSetAside(state, key);
        return since === undefined ? [] : [[key, since] as const];
      });
      expect({
        height,
        counts: counts === undefined ? null : toHex(counts),
        members: readValidators(state).map(({ publicKey }) => publicKey),
        aside: Object.fromEntries(aside),
      }).toEqual(sample);
    }
    expect(samples.at(-1)?.height).toBeGreaterThan(998);
  });
});
