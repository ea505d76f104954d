// What one of the runs that were merged held, out of the file that they became: for a reader of the tables of before, whose own file is gone.
import type { Height } from "#shared/protocol/chain/header.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import type { AccountRun } from "../runs/account-run.ts";
import type { IdRun } from "../runs/id-run.ts";

/** Blocks of the run that was. */
interface PartRange {
  readonly first: Height;
  readonly last: Height;
}

/** Ids, as they are looked for. */
export type OpenIds = Pick<IdRun, "file" | "places">;

/** Histories, as they are read. */
export type OpenAccounts = Pick<AccountRun, "file" | "places" | "oldest">;

/** The ids of a range. */
export function partOfIds(run: IdRun, range: PartRange): OpenIds {
  const isInside = insideOf(range);
  return { file: run.file, places: (key) => run.places(key).filter(isInside) };
}

/** The histories of a range. */
export function partOfAccounts(run: AccountRun, range: PartRange): OpenAccounts {
  const isInside = insideOf(range);
  return {
    file: run.file,
    places: (name, first, last) => new Map([...run.places(name, first, last)].filter(([, seq]) => isInside(seq))),
    oldest: (name) => run.oldest(name, isInside),
  };
}

function insideOf({ first, last }: PartRange): (seq: number) => boolean {
  return (seq) => seq >= first * SEQ_PER_BLOCK && seq < (last + 1) * SEQ_PER_BLOCK;
}
