// What the person at this desk calls a device of theirs, on all of them; else the name that the chain has, which cannot be changed.
import { useSyncExternalStore } from "react";
import { IDLE_SNAPSHOT } from "#shared/messenger/model/conversation.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { useMessenger } from "../messenger/messenger-context.tsx";

/** The private name of a device; undefined where it has none. */
export function usePrivateDeviceName(devicePub: X25519KeyHex): string | undefined {
  const messenger = useMessenger();
  const notes = useSyncExternalStore(
    messenger?.subscribe ?? subscribeToNothing,
    () => (messenger?.getSnapshot() ?? IDLE_SNAPSHOT).notes.device,
  );
  const { name = "" } = notes[devicePub] ?? {};
  return name === "" ? undefined : name;
}

/** How a device is called here. `published` is its name on the chain. */
export function useDeviceLabel(devicePub: X25519KeyHex, published: string): string {
  return usePrivateDeviceName(devicePub) ?? published;
}

function subscribeToNothing(): () => void {
  return () => undefined;
}
