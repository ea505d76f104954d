// Files of old blocks, and what finds them: header, index or directory, and footer; for a full check every byte.

import { RunFile } from "#node/storage/history/runs/run-format.ts";
import { HISTORY_FOLDER, type SealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { RUN_KIND_NAMES, RUN_KINDS, storedRunName } from "#node/storage/history/sealing/sealed-runs.ts";
import { unnamedFiles } from "#node/storage/history/sealing/unnamed-files.ts";
import { SegmentFile } from "#node/storage/history/segments/segment-file.ts";
import { segmentName } from "#node/storage/history/segments/segment-format.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Findings } from "./findings.ts";

interface HistoryCheck {
  readonly isFull: boolean;
  readonly findings: Findings;
}

/** A file of the folder. */
interface CheckedFile {
  readonly name: string;
  readonly first: Height;
  readonly last: Height;
  open(): { verify(): void; close(): void };
}

/** Checks all files that the tables name. @returns names of others that a node would leave there */
export function checkHistory(history: SealedHistory, check: HistoryCheck): readonly string[] {
  const { files } = history;
  const segments = history.all();
  checkFiles(
    segments.map((segment) => ({ ...segment, name: segmentName(segment), open: () => new SegmentFile(files, segment) })),
    check,
  );
  for (const kind of RUN_KIND_NAMES) {
    const runs = history.runs
      .runs(kind)
      .map((run) => ({ ...run, name: storedRunName(run), open: () => new RunFile(files, RUN_KINDS[kind], run) }));
    checkFiles(runs, check);
  }
  return unnamedFiles(files, history, history.runs).others.map((name) => `${HISTORY_FOLDER}/${name}`);
}

function checkFiles(files: readonly CheckedFile[], { isFull, findings }: HistoryCheck): void {
  let below: Height | undefined;
  for (const { name, first, last, open } of files) {
    const place = `${HISTORY_FOLDER}/${name}`;
    if (below !== undefined && first !== below + 1) findings.add(place, "", `the blocks from ${below + 1} to ${first - 1} are in no file`);
    below = last;
    findings.attempt(place, "", () => {
      const file = open();
      try {
        if (isFull) file.verify();
      } finally {
        file.close();
      }
    });
  }
}
