// Votes of a validator on the newest blocks as bars: their shapes, and the blocks that it missed.
import type { NodeStats } from "#shared/api/schemas/nodes.ts";
import type { Height } from "#shared/protocol/chain/header.ts";

/** Newest blocks of which a node says who voted. */
export const NEWEST_BLOCKS = 100;

/** As a node says them. */
export type RecentCommits = NonNullable<NonNullable<NodeStats["validator"]>["recent_commits"]>;

/** Outlines of the bars of one kind, as an SVG path whose unit is a block. */
export interface VoteBars {
  readonly signed: string;
  readonly missed: string;
  readonly outside: string;
}

/** Share of a place that its bar takes; the rest is the gap. */
const WIDTH = 0.7;
/** A kind is told by its height too, not by its colour alone. */
const SHARES = { signed: 1, missed: 0.4, outside: 0.1 } as const;

/** The bars, the newest block on the right. A young chain has fewer of them: the left side stays empty. */
export function barsOf(marks: string, height: number): VoteBars {
  return {
    signed: outline(marks, "1", height * SHARES.signed, height),
    missed: outline(marks, "0", height * SHARES.missed, height),
    outside: outline(marks, "-", height * SHARES.outside, height),
  };
}

function outline(marks: string, mark: string, barHeight: number, height: number): string {
  return [...marks]
    .flatMap((found, age) => (found === mark ? [`M${NEWEST_BLOCKS - 1 - age} ${height}v-${barHeight}h${WIDTH}v${barHeight}z`] : []))
    .join("");
}

/** Heights of the blocks that it missed, the newest first. */
export function missedHeights({ height, marks }: RecentCommits): readonly Height[] {
  return [...marks].flatMap((mark, age) => (mark === "0" ? [height - age] : []));
}
