// Polls, and what votes make of one: pure, and the same on every device that has the same votes. Nothing of it is anonymous.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Longest question and longest answer of a poll, UTF-8 bytes. */
export const MAX_QUESTION_BYTES = 512;
export const MAX_ANSWER_BYTES = 128;
/** Fewest and most answers of a poll. */
export const MIN_ANSWERS = 2;
export const MAX_ANSWERS = 12;
/** Most people whose votes are stored of one poll: more than a group has. */
const MAX_VOTERS = 128;
/** Votes that are stored of one person, the latest: a closing that comes late finds the one before it. */
const MAX_VOTES = 8;

/** A question with answers to choose from. */
export interface PollBody {
  readonly kind: "poll";
  readonly question: string;
  /** Different from each other. */
  readonly answers: readonly string[];
  /** Each person may choose several. */
  readonly isMultiple: boolean;
}

/** What one person chooses. The latest of each person counts. */
export interface PollVoteBody {
  readonly kind: "poll.vote";
  /** Author and id of the poll. */
  readonly to: { readonly author: PublicKeyHex; readonly id: string };
  /** Positions of answers, ascending; none takes the vote back. */
  readonly choices: readonly number[];
}

/** The author of a poll ends it: votes of later times do not count. */
export interface PollCloseBody {
  readonly kind: "poll.close";
  readonly to: { readonly author: PublicKeyHex; readonly id: string };
}

interface Vote {
  readonly choices: readonly number[];
  /** By the clock of who voted, milliseconds since 1970. */
  readonly at: number;
}

/** What is stored of a poll beside its body. */
export interface PollVotes {
  /** Of each person, the latest last. */
  readonly votes: Readonly<Record<PublicKeyHex, readonly Vote[]>>;
  /** By its author's clock; the earliest closing counts. */
  readonly closedAt?: number;
}

/** A poll as it is counted. */
export interface PollResult {
  /** Answers that each person has chosen; without those who have chosen none. */
  readonly choices: Readonly<Record<PublicKeyHex, readonly number[]>>;
  readonly isClosed: boolean;
}

const NO_VOTES: PollVotes = { votes: {} };

/** True for what can be chosen in a poll. */
export function isChoice({ answers, isMultiple }: Pick<PollBody, "answers" | "isMultiple">, choices: readonly number[]): boolean {
  const isAscending = choices.every((choice, index) => index === 0 || choice > (choices[index - 1] ?? 0));
  return isAscending && choices.every((choice) => choice < answers.length) && (isMultiple || choices.length <= 1);
}

/** The votes with another one; undefined where it changes nothing. */
export function withVote(poll: PollBody, known: PollVotes = NO_VOTES, person: PublicKeyHex, vote: Vote): PollVotes | undefined {
  const { votes, closedAt } = known;
  const before = votes[person];
  const hasRoom = before !== undefined || Object.keys(votes).length < MAX_VOTERS;
  if (!isChoice(poll, vote.choices) || !hasRoom || (closedAt !== undefined && vote.at > closedAt)) return undefined;
  if (before?.some((other) => compareVotes(other, vote) === 0) === true) return undefined;
  const all = [...(before ?? []), vote].sort(compareVotes).slice(-MAX_VOTES);
  return all.includes(vote) ? { ...known, votes: { ...votes, [person]: all } } : undefined;
}

/** The votes of a poll that is closed at a time; undefined where it was closed before. */
export function withClosing(known: PollVotes = NO_VOTES, at: number): PollVotes | undefined {
  if (known.closedAt !== undefined && known.closedAt <= at) return undefined;
  const counted = Object.entries(known.votes).map(([person, votes]) => [person, votes.filter((vote) => vote.at <= at)] as const);
  return { votes: Object.fromEntries(counted.filter(([, votes]) => votes.length > 0)), closedAt: at };
}

/** When the latest vote was cast; 0 without any. */
export function latestVoteAt({ votes }: PollVotes = NO_VOTES): number {
  return Math.max(0, ...Object.values(votes).map((all) => all.at(-1)?.at ?? 0));
}

/** What counts of the votes. */
export function pollResult({ votes, closedAt }: PollVotes = NO_VOTES): PollResult {
  const choices = Object.entries(votes).map(([person, all]) => [person, all.at(-1)?.choices ?? []] as const);
  return { choices: Object.fromEntries(choices.filter(([, chosen]) => chosen.length > 0)), isClosed: closedAt !== undefined };
}

/** Negative when `a` was cast before `b`; of one moment the greater choice counts as the later. */
function compareVotes(a: Vote, b: Vote): number {
  const [one, other] = [a.choices.join(" "), b.choices.join(" ")];
  return a.at - b.at || (one < other ? -1 : Number(one > other));
}
