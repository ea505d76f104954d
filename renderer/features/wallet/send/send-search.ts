// Search parameters of the address that opens the form for sending.

/** What the send view is opened with. It fills the form and never sends by itself. */
export interface SendSearch {
  /** Address, hex key or payment link of the recipient. */
  readonly to?: string;
  /** Amount in T as typed. */
  readonly amount?: string;
  readonly memo?: string;
}
