// Limits of what keepers and those who use them send each other. docs/limits.md lists them.
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";

/** Limits of repair, sending and reading. */
export interface KeeperLimits {
  /** A range with more entries is split, by the next four bits of their positions. */
  readonly listedEntries: number;
  /** Ranges of one request, and entries that are fetched in one. */
  readonly rangesPerRequest: number;
  readonly entriesPerRequest: number;
  /** Requests and entries of one session of repair. */
  readonly sessionRequests: number;
  readonly sessionEntries: number;
  /** Times that one session goes through what differs. */
  readonly sessionPasses: number;
  /** Entries that the other side listed and did not bring, after which it counts as lying. */
  readonly undelivered: number;
  /** Time between two comparisons with other keepers, and from a start or a change of keepers to the next one, ms. */
  readonly repairMs: number;
  readonly firstRepairMs: number;
  /** Time of one keeper in a round of repair, ms: what is left has its turn in the next one, after the others. */
  readonly turnMs: number;
  /** A keeper that lied in a repair is not asked for so long, ms. */
  readonly liarPauseMs: number;
  /** Pause after a request of a repair by the time that it took: a fifth of the time is used. */
  readonly repairRestShare: number;
  /** Envelopes found in repairs that this node did not take, which it leaves for so long, ms. */
  readonly leftEntries: number;
  readonly leftMs: number;
  /** What would be kept for less than this is not fetched any more, ms. */
  readonly leastKeptMs: number;
  /** Time between two rounds in which a node forgets what it does not keep, ms. */
  readonly forgetMs: number;
  /** Entries of slots that are held at once to answer ranges. */
  readonly heldEntries: number;
  /** Larger envelopes go to one keeper, which passes them on, bytes. */
  readonly passedOnBytes: number;
  /** These give back their receipts in this time, ms. */
  readonly passedOnMs: number;
  /** Who has not confirmed after this gives the next rank its turn, ms. */
  readonly answerMs: number;
  /** Pauses before a keeper is asked again double from the first to the last, ms. */
  readonly firstRetryMs: number;
  readonly lastRetryMs: number;
  /** The same of one that answered and did not take it, ms. */
  readonly firstRefusedMs: number;
  readonly lastRefusedMs: number;
  /** Bytes that are sent once more in a second, and at once: what was refused, and what met silence. */
  readonly refusedBytesPerS: number;
  readonly refusedBytesBurst: number;
  readonly silentBytesPerS: number;
  readonly silentBytesBurst: number;
  /** What waits for these is looked at again after this, ms. */
  readonly budgetMs: number;
  /** Envelopes that were set aside, of which it is remembered whom they were handed to. */
  readonly asideEntries: number;
  /** Receipts after which mail is handed over, and those after which its sender forgets it. */
  readonly receiptsToHandOver: number;
  readonly receiptsToForget: number;
  /** Mail is kept for its keepers this long, ms. */
  readonly keptMs: number;
  /** A request to a keeper ends after this, ms. */
  readonly requestMs: number;
  /** Time between two looks for what is due, ms. */
  readonly tickMs: number;
  /** Envelopes on the way at once, and their bytes; more wait in the file. */
  readonly deliveries: number;
  readonly deliveryBytes: number;
  /** Where these are all, what is asked again in this time or later makes room for others, ms, */
  readonly setAsideMs: number;
  /** and its turn comes again, once in this time at most, ms. */
  readonly readAgainMs: number;
  /** Envelopes that wait for the file; more are refused. */
  readonly waitingMail: number;
  /** Openings and deletions of owners that are on their way to keepers, each counted by its keepers. */
  readonly ownerNotices: number;
  /** Keepers of a box that have to answer before a list is complete. */
  readonly readersAnswers: number;
  /** A first read waits for them so long, ms. */
  readonly firstReadMs: number;
  /** What was listed without a proof is listed anew after this, ms, */
  readonly unprovenFreshMs: number;
  /** a keeper responds to such a reader in this time, ms, */
  readonly unprovenMs: number;
  /** with so many pages of its lists; so many rounds of fetching has a list of this node, */
  readonly unprovenPages: number;
  /** and so many keepers are asked at once, while so many requests wait. */
  readonly unprovenRequests: number;
  readonly unprovenWaiting: number;
  /** Boxes that were read without a proof, their ids, and bytes of their envelopes, that are remembered for a while. */
  readonly unprovenBoxes: number;
  readonly unprovenIds: number;
  readonly unprovenBytes: number;
  /** Boxes to whose mail callers without a proof listen, as far as keepers are asked to tell of it. */
  readonly unprovenWatched: number;
  /** Envelopes of one box that these are told of at once. */
  readonly unprovenPushes: number;
  /** What only others than the giver of a box list is fetched from them after this, ms. */
  readonly fetchAfterMs: number;
  /** Time between two looks at which boxes are read at which keepers, ms. */
  readonly refreshMs: number;
  /** What is watched at a keeper is renewed so often, and so often where its connection has ended and many keepers are read, ms. */
  readonly renewMs: number;
  readonly awayRenewMs: number;
  /** Keepers that are read over connections that stay: with more, one that has ended is not opened again for each. */
  readonly connectedKeepers: number;
  /** All that is new is listed again so often at the keepers of a box that keep it, and at its others, ms. */
  readonly listAgainMs: number;
  readonly listOthersMs: number;
  /** Pages of one keeper that are read without a pause. */
  readonly readPages: number;
  /** Pauses before a keeper that could not be read is asked again double from the first to the last, ms. */
  readonly firstReadPauseMs: number;
  readonly lastReadPauseMs: number;
  /** Envelopes that one keeper lists of one box: all rooms of a mailbox together. */
  readonly boxEntries: number;
  /** What the others have had for so long a keeper should have too, ms: two rounds of repair. Receipts are checked after this. */
  readonly lateMs: number;
  /** Time between two looks whether a keeper has what it should, ms. */
  readonly auditMs: number;
  /** Receipts that are to be checked, of as many keepers. */
  readonly audits: number;
  /** Larger envelopes are not asked for by that, bytes. */
  readonly auditBytes: number;
  /** Times that a keeper which does not answer is asked for one. */
  readonly auditTries: number;
  /** Bytes that a node brings to a keeper on a day, and a member of the directory for each unit of its weight; twice that with open boxes. */
  readonly nodeDayBytes: number;
  readonly memberDayBytes: number;
  /** A member brings as many bytes of nodes that it carries for by this. */
  readonly carriedShare: number;
  /** Boxes that a node watches at a keeper, those of all nodes, as how many of these a node counts, and watches of one box. */
  readonly watchedByNode: number;
  readonly watchedByAll: number;
  readonly watcherCost: number;
  readonly watchersOfBox: number;
  /** What a node watches is held so long while it is not connected, ms. */
  readonly leaseMs: number;
  /** Keepers of which a node remembers that they dropped what they had signed for. */
  readonly doubted: number;
  /** And for how long, ms. */
  readonly doubtMs: number;
  /** Findings that are not certain after which a keeper's receipts do not count, */
  readonly doubtScore: number;
  /** one in this time at most, ms. */
  readonly findingMs: number;
  /** One of so many keepers of the directory is doubted at most: beyond that this node is rather deceived. */
  readonly doubtedShare: number;
}

export const KEEPER_LIMITS: KeeperLimits = {
  listedEntries: NETWORK_LIMITS.mailItems.listedEntries,
  rangesPerRequest: NETWORK_LIMITS.mailItems.ranges,
  entriesPerRequest: NETWORK_LIMITS.mailItems.fetchedIds,
  sessionRequests: 4_096,
  sessionEntries: 262_144,
  sessionPasses: 3,
  undelivered: 64,
  repairMs: 600_000,
  firstRepairMs: 15_000,
  turnMs: 300_000,
  liarPauseMs: 3_600_000,
  repairRestShare: 4,
  leftEntries: 65_536,
  leftMs: 21_600_000,
  leastKeptMs: 7_200_000,
  forgetMs: 3_600_000,
  heldEntries: 262_144,
  passedOnBytes: 16_384,
  passedOnMs: 1_500,
  answerMs: 2_000,
  firstRetryMs: 4_000,
  lastRetryMs: 600_000,
  firstRefusedMs: 60_000,
  lastRefusedMs: 21_600_000,
  refusedBytesPerS: 524_288,
  refusedBytesBurst: 8_388_608,
  silentBytesPerS: 4_194_304,
  silentBytesBurst: 67_108_864,
  budgetMs: 1_000,
  asideEntries: 16_384,
  receiptsToHandOver: 2,
  receiptsToForget: 3,
  keptMs: 604_800_000,
  requestMs: 10_000,
  tickMs: 250,
  deliveries: 4_096,
  deliveryBytes: 67_108_864,
  setAsideMs: 5_000,
  readAgainMs: 60_000,
  waitingMail: 8_192,
  ownerNotices: 4_096,
  readersAnswers: 2,
  firstReadMs: 2_000,
  unprovenFreshMs: 2_000,
  unprovenMs: 5_000,
  unprovenPages: 16,
  unprovenRequests: 32,
  unprovenWaiting: 4_096,
  unprovenBoxes: 4_096,
  unprovenIds: 524_288,
  unprovenBytes: 33_554_432,
  unprovenWatched: 4_096,
  unprovenPushes: 16,
  fetchAfterMs: 500,
  refreshMs: 10_000,
  renewMs: 600_000,
  awayRenewMs: 120_000,
  connectedKeepers: NETWORK_LIMITS.mailPeers.keeperConnections,
  listAgainMs: 3_600_000,
  listOthersMs: 21_600_000,
  readPages: 4_096,
  firstReadPauseMs: 1_000,
  lastReadPauseMs: 60_000,
  boxEntries: 4_100,
  lateMs: 1_200_000,
  auditMs: 60_000,
  audits: 1_024,
  auditBytes: 16_384,
  auditTries: 3,
  nodeDayBytes: 640_000_000,
  memberDayBytes: 1_000_000_000,
  carriedShare: 2,
  watchedByNode: 32_768,
  watchedByAll: 2_097_152,
  watcherCost: 32,
  watchersOfBox: 64,
  leaseMs: 900_000,
  doubted: 4_096,
  doubtMs: 2_592_000_000,
  doubtScore: 3,
  findingMs: 86_400_000,
  doubtedShare: 3,
};
