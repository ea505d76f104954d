// How far publishing one's keys has come, for the background task and the notice about it.
import { create } from "zustand";
import type { DeviceRecord, IdentityInfo } from "#shared/api/schemas/chain.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";

/** A transaction that is still missing. */
export type RegistrationStep = "registerKey" | "linkDevice";

interface RegistrationStore {
  /** Steps under way or done, by device: never submitted twice in a session. */
  readonly submitted: readonly string[];
  /** Why the last attempt did not work. */
  readonly problem: unknown;
  /** Marks the step and runs it; a failure can be tried again with {@link RegistrationStore.retry}. */
  attempt(step: string, run: () => Promise<unknown>): Promise<void>;
  retry(): void;
}

/** State of publishing. */
export const useRegistrationStore = create<RegistrationStore>()((set) => ({
  submitted: [],
  problem: undefined,
  attempt: async (step, run): Promise<void> => {
    set(({ submitted }) => ({ submitted: [...submitted, step], problem: undefined }));
    try {
      await run();
    } catch (problem) {
      set({ problem });
    }
  },
  retry: () => set({ submitted: [], problem: undefined }),
}));

/** What decides which steps are missing. */
export interface RegistrationInput {
  readonly identity: IdentityInfo | undefined;
  readonly devices: readonly DeviceRecord[] | undefined;
  readonly devicePub: X25519KeyHex;
  /** The chain has listed this device before: it was unlinked, and only its owner links it again. */
  readonly wasListed: boolean;
}

/** Steps that the chain does not show yet; none while it has not been read. */
export function missingRegistration(input: RegistrationInput): readonly RegistrationStep[] {
  const { identity, devices, devicePub, wasListed } = input;
  if (identity === undefined || devices === undefined) return [];
  const isListed = devices.some((device) => device.x25519_pub_key === devicePub);
  return [...(identity.registered ? [] : (["registerKey"] as const)), ...(isListed || wasListed ? [] : (["linkDevice"] as const))];
}
