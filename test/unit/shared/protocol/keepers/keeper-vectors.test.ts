// Networks, directories and ranks against an evaluation in another language (test/vectors/make_keepers.py), from the documents alone.
import { describe, expect, it } from "vitest";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { type Directory, nextDirectory } from "#shared/protocol/keepers/directory.ts";
import type { MailMode } from "#shared/protocol/keepers/mail-mode.ts";
import { periodOf, rankKeepers, slotOf } from "#shared/protocol/keepers/placement.ts";
import { networkOfAddress } from "#shared/protocol/keepers/relay-network.ts";
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";

interface Vectors {
  readonly networks: readonly { readonly multiaddr: string; readonly network: string | null }[];
  readonly placement: {
    readonly keepers: readonly { readonly salt: string; readonly weight: number; readonly network: string; readonly wallet: string }[];
    readonly cases: readonly {
      readonly box: string;
      readonly slot: number;
      readonly seed: string;
      readonly of: number;
      readonly ranks: readonly number[];
    }[];
    readonly periods: readonly { readonly slot: number; readonly day: number; readonly start: number }[];
  };
  readonly story: {
    readonly validatorBondUt: number;
    readonly relays: readonly { readonly key: string; readonly x25519: string; readonly multiaddr: string; readonly wallet: string }[];
    readonly epochs: readonly {
      readonly timeS: number;
      readonly parentHash: string;
      readonly relays: readonly (readonly number[])[];
      readonly keepers: readonly (readonly [key: string, weight: number, salt: string])[];
      readonly mode: readonly (string | number)[];
      readonly seeds: string;
    }[];
  };
}

const { networks, placement, story } = readVectors<Vectors>("keepers.json");

function modeRow(mode: MailMode): readonly (string | number)[] {
  if (mode.is === "gossip") return ["gossip", mode.enough];
  return mode.is === "announced" ? ["announced", mode.left, mode.tooFew] : ["keepers", mode.tooFew];
}

describe("networks of addresses", () => {
  it.each(networks)("$multiaddr: $network", ({ multiaddr, network }) => {
    expect(networkOfAddress(multiaddr) ?? null).toBe(network);
  });
});

describe("places of boxes", () => {
  it.each([
    ["portable", undefined],
    ["native", nativeSha256],
  ])("are those of the vectors, with the %s hash", (_name, hash) => {
    const found = placement.cases.map(({ box, slot, seed, of }) => {
      const keepers = placement.keepers.slice(0, of);
      const { keeping, standingIn } = rankKeepers(keepers, { slot, seed }, hash && { hash });
      return { slot: slotOf(box, hash), ranks: [...keeping, ...standingIn].map((keeper) => keepers.indexOf(keeper)), keep: keeping.length };
    });
    expect(found).toEqual(placement.cases.map(({ slot, ranks }) => ({ slot, ranks, keep: Math.min(3, ranks.length) })));
  });

  it("have periods that begin on days of their own", () => {
    expect(placement.periods.map(({ slot, day }) => periodOf(slot, day))).toEqual(placement.periods.map(({ start }) => start));
  });
});

describe("a chain's directories", () => {
  it("are those of the vectors, epoch by epoch", () => {
    let directory: Directory | undefined;
    for (const { timeS, parentHash, relays, keepers, mode, seeds } of story.epochs) {
      directory = nextDirectory(directory, {
        block: { timeS, parentHash },
        validatorBondUt: story.validatorBondUt,
        relays: relays.map((facts, at) => {
          const [bondUt = 0, registeredAtS = 0, withdrawnAtS = 0, suspendedUntilS = 0, heartbeats = 0, lastHeartbeatS = 0] = facts;
          const names = story.relays[at] ?? { key: "", x25519: "", multiaddr: "", wallet: "" };
          return { ...names, bondUt, registeredAtS, withdrawnAtS, suspendedUntilS, heartbeats, lastHeartbeatS };
        }),
      });
      const rows = directory.keepers.map(({ key, weight, salt }) => [key.slice(0, 8), weight, salt.slice(0, 8)]);
      const hash = toHex(nativeSha256(concatBytes(...directory.seeds.seeds.map(fromHex))));
      expect({ timeS, keepers: rows, mode: modeRow(directory.mode), seeds: hash }).toEqual({ timeS, keepers, mode, seeds });
    }
    const modes = story.epochs.map(({ mode }) => mode[0]);
    // A chain on which nothing happened would prove nothing.
    expect([...new Set(modes)]).toEqual(["gossip", "announced", "keepers"]);
    expect(modes.lastIndexOf("gossip")).toBeGreaterThan(modes.indexOf("keepers"));
  });
});
