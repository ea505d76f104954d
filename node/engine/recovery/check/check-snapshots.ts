// Snapshots of a folder against the state roots that they are to have: place by place, as a node that joins would check them.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { placeInWords } from "#node/state/tree-place.ts";
import { proveSnapshot } from "#node/storage/snapshots/proven-snapshot.ts";
import { heightOfSnapshot, openSnapshot } from "#node/storage/snapshots/snapshot-file.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Findings } from "./findings.ts";

/** Folder of the snapshots, in a data folder. */
const SNAPSHOTS_FOLDER = "snapshots";

/** The file of a snapshot, as it is named in the data folder. */
export interface NamedSnapshot {
  readonly height: Height;
  readonly name: string;
}

/** Snapshots of a folder, the lowest first. */
export function snapshotsOf(path: string): readonly NamedSnapshot[] {
  const folder = join(path, SNAPSHOTS_FOLDER);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .flatMap((name) => {
      const height = heightOfSnapshot(name);
      return height === undefined ? [] : [{ height, name: `${SNAPSHOTS_FOLDER}/${name}` }];
    })
    .sort((a, b) => a.height - b.height);
}

/** Proves each record of each snapshot. One of another block of its height, as after a rollback, is whole: the node removes it. */
export function checkSnapshots(
  path: string,
  { findings, onProgress }: { readonly findings: Findings; readonly onProgress: (done: number, total: number) => void },
): void {
  for (const { height, name } of snapshotsOf(path)) findings.attempt(name, "", () => checkSnapshot(join(path, name), { height, name }));

  function checkSnapshot(file: string, { height, name }: NamedSnapshot): void {
    const { stateRoot, records, height: written, close } = openSnapshot(file);
    close();
    if (written !== height) findings.add(name, "", `it is the snapshot of block ${written}`);
    proveSnapshot(
      file,
      { height, stateRoot },
      {
        onDamage: (place, error) =>
          findings.attempt(name, placeInWords(place), () => {
            throw error;
          }),
        onRecords: (done) => onProgress(done, records),
      },
    );
  }
}
