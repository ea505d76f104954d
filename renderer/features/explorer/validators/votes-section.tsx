// How each validator voted on the newest blocks, block by block: who is missing, since when, and whether together with others.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { ValidatorRecord } from "#shared/api/schemas/chain.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { barsOf, missedHeights, NEWEST_BLOCKS, type RecentCommits } from "./vote-bars.ts";
import styles from "./votes-section.module.css";

/** Missed blocks that are named; of more their number is said. */
const MAX_NAMED = 5;
const BAR_HEIGHT = 20;

/** A line of bars a validator, the newest block on the right; nothing where no node says it. */
export function VotesSection({ validators }: { readonly validators: readonly ValidatorRecord[] }): ReactElement {
  const t = useMessages();
  return (
    <Section title={t("explorer.votes")} hint={t("explorer.votesHint", { count: NEWEST_BLOCKS })}>
      <ul className={styles.list}>
        {validators.map(({ pub_key: key }) => (
          <VoteLine key={key} publicKey={key} />
        ))}
      </ul>
    </Section>
  );
}

function VoteLine({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const { data } = useQuery(useNetworkQueries().nodeStats(publicKey));
  const commits = data?.validator?.recent_commits;
  return (
    <li className={styles.line}>
      <span className={styles.who}>
        <AddressChip publicKey={publicKey} />
      </span>
      {commits === undefined ? (
        <span className={styles.unknown}>{data === undefined ? "…" : t("common.none")}</span>
      ) : (
        <Bars commits={commits} />
      )}
    </li>
  );
}

function Bars({ commits }: { readonly commits: RecentCommits }): ReactElement {
  const words = useWords(commits);
  const { signed, missed, outside } = barsOf(commits.marks, BAR_HEIGHT);
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${NEWEST_BLOCKS} ${BAR_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
      shapeRendering="crispEdges"
    >
      <title>{words}</title>
      <path className={styles.signed} d={signed} />
      <path className={styles.missed} d={missed} />
      <path className={styles.outside} d={outside} />
    </svg>
  );
}

/** The bars in a sentence: it is their label, and what a pointer over them shows. */
function useWords(commits: RecentCommits): string {
  const { locale, t } = useLanguage();
  const number = new Intl.NumberFormat(locale);
  const missed = missedHeights(commits);
  const expected = [...commits.marks].filter((mark) => mark !== "-").length;
  const counts = t("explorer.votesOf", { signed: number.format(expected - missed.length), expected: number.format(expected) });
  if (missed.length === 0) return counts;
  const named = missed.slice(0, MAX_NAMED).map((height) => number.format(height));
  const blocks = new Intl.ListFormat(locale, { type: "unit", style: "short" }).format(named);
  const others = missed.length - named.length;
  return `${counts} ${others === 0 ? t("explorer.votesMissed", { blocks }) : t("explorer.votesMissedMore", { blocks, count: others })}`;
}
