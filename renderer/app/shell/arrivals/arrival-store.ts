// Payments that arrived since the wallet was last looked at. Counted for the session only.
import { create } from "zustand";

interface ArrivalStore {
  readonly unseenPayments: number;
}

export const useArrivals = create<ArrivalStore>()(() => ({ unseenPayments: 0 }));

/** Counts payments that arrived. */
export function countPayments(count: number): void {
  useArrivals.setState(({ unseenPayments }) => ({ unseenPayments: unseenPayments + count }));
}

/** The wallet is in view. */
export function markPaymentsSeen(): void {
  if (useArrivals.getState().unseenPayments > 0) useArrivals.setState({ unseenPayments: 0 });
}
