// Figures of keepers, which all nodes of a chain must have alike. docs/limits.md lists them with their reasons.

/** Figures by which relays become keepers and boxes find them. */
export interface KeeperRules {
  /** A keeper's bond is a validator's divided by this. */
  readonly bondDivisor: number;
  /** Weight of a keeper at most. */
  readonly mostWeight: number;
  /** Relays that are followed, keepers among them; one more waits until another one goes. */
  readonly mostRelays: number;
  /** An epoch, seconds of block time. */
  readonly epochS: number;
  /** A relay is in after so long with so many heartbeats, or begins again. */
  readonly entryS: number;
  readonly entryHeartbeats: number;
  /** A keeper is out after so long without a heartbeat. */
  readonly absenceS: number;
  /** One that was out is in again after so long with so many heartbeats, with the salt that it had. */
  readonly returnS: number;
  readonly returnHeartbeats: number;
  /** Time for which a salt is remembered. */
  readonly saltS: number;
  /** Slots of boxes: 14 bits. */
  readonly slots: number;
  /** A slot has the same seed for so many days. */
  readonly periodDays: number;
  /** Seeds of the latest days: those of a period that still drains are among them. */
  readonly seedDays: number;
  /** Ranks that keep, and those behind them that stand in. */
  readonly keeping: number;
  readonly standingIn: number;
  /** Mail goes to keepers after so many epochs with so many of them, announced so many before. */
  readonly startKeepers: number;
  readonly startEpochs: number;
  readonly announcedEpochs: number;
  /** And by gossip again after so many epochs with fewer than so many. */
  readonly leastKeepers: number;
  readonly endEpochs: number;
  /** A directory counts so long after its block, and the one before is served for so long then. */
  readonly delayS: number;
  readonly overlapS: number;
}

export const KEEPER_RULES: KeeperRules = {
  bondDivisor: 20,
  mostWeight: 8,
  mostRelays: 8_192,
  epochS: 3_600,
  entryS: 86_400,
  entryHeartbeats: 40,
  absenceS: 43_200,
  returnS: 3_600,
  returnHeartbeats: 2,
  saltS: 2_592_000,
  slots: 16_384,
  periodDays: 30,
  seedDays: 60,
  keeping: 3,
  standingIn: 3,
  startKeepers: 8,
  startEpochs: 24,
  announcedEpochs: 24,
  leastKeepers: 5,
  endEpochs: 6,
  delayS: 600,
  overlapS: 3_600,
};
