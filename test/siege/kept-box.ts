// Boxes whose mail the victim keeps.
import { readDirectory, readDirectoryHeads } from "#node/ledger/records/directory-epochs.ts";
import { HeldDirectory } from "#node/relay/keepers/placing/held-directory.ts";
import { KeeperRanks } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { ProcessNetwork } from "../support/nodes/process-network.ts";
import { keyOf } from "../support/nodes/set-changes.ts";

const MOST_SEEDS = 100;

/** The mailbox that the victim, node 0, keeps in its first rank, and which has the first such seed. @throws Error where no keepers are */
export function keptBox(network: ProcessNetwork, firstSeed: number): string {
  return keptSeeds(network, firstSeed, 1).map(boxOfSeed)[0] ?? "";
}

/** The mailbox of a seed: all bytes of its secret key are that. */
export function boxOfSeed(seed: number): string {
  return toHex(boxKeyPair(new Uint8Array(32).fill(seed)).publicKey);
}

/** The first seeds of so many mailboxes that the victim keeps in its first rank. @throws Error where it does not */
export function keptSeeds(network: ProcessNetwork, firstSeed: number, count: number): readonly number[] {
  const victim = network.node(0);
  const chain = openChainReader(victim.dataDir);
  try {
    const [head] = readDirectoryHeads(chain.state);
    const read = head && readDirectory(chain.state, head.epoch);
    if (read === undefined) throw new Error("The chain has keepers");
    const directory = new HeldDirectory();
    directory.give(read);
    const ranks = new KeeperRanks(directory, { nowMs: (): number => Date.now() });
    const isKept = (seed: number): boolean => ranks.keepersOf(boxOfSeed(seed))?.keeping[0]?.key === keyOf(victim).publicKey;
    const seeds = Array.from({ length: MOST_SEEDS }, (_, n) => firstSeed + n).filter(isKept);
    if (seeds.length < count) throw new Error("The victim keeps too few such boxes");
    return seeds.slice(0, count);
  } finally {
    chain.close();
  }
}
