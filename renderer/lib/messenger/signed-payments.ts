// Says that a payment of a chat was signed and stored: what sends such payments looks for it at once.
import { create } from "zustand";

/** Changes when there is something to send at once. */
export const useSignedPayments = create<{ readonly signed: number }>()(() => ({ signed: 0 }));

/** A payment was signed and stored: it is given to the node at once. */
export function sendSignedNow(): void {
  useSignedPayments.setState(({ signed }) => ({ signed: signed + 1 }));
}
