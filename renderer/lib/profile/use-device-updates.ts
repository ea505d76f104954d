// Devices of this identity that were linked or unlinked since this device last checked. The list it has seen is stored on it.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { DeviceRecord } from "#shared/api/schemas/chain.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { useAccount } from "../keyring/keyring-context.tsx";
import { useNodeQueries } from "../node/queries.ts";

/** A device that was linked or unlinked. */
export interface DeviceUpdate {
  readonly kind: "linked" | "unlinked";
  readonly devicePub: X25519KeyHex;
  readonly name: string;
}

/** Names of the devices that were seen, by key; undefined before the first check. */
export type SeenDevices = Readonly<Record<X25519KeyHex, string>>;

interface SeenStore {
  readonly seen: Readonly<Record<X25519KeyHex, SeenDevices>>;
  save(own: X25519KeyHex, devices: SeenDevices): void;
}

const useSeen = create<SeenStore>()(
  persist<SeenStore>((set) => ({ seen: {}, save: (own, devices) => set(({ seen }) => ({ seen: { ...seen, [own]: devices } })) }), {
    name: "parley.devices",
    version: 1,
  }),
);

/** What is new since the devices were seen, this device aside. */
export function deviceUpdates(seen: SeenDevices, devices: readonly DeviceRecord[], own: X25519KeyHex): readonly DeviceUpdate[] {
  const linked = devices
    .filter(({ x25519_pub_key: key }) => key !== own && seen[key] === undefined)
    .map(({ x25519_pub_key: devicePub, device_name: name }) => ({ kind: "linked", devicePub, name }) as const);
  const unlinked = Object.entries(seen)
    .filter(([key]) => key !== own && !devices.some((device) => device.x25519_pub_key === key))
    .map(([devicePub, name]) => ({ kind: "unlinked", devicePub, name }) as const);
  return [...linked, ...unlinked];
}

/** The devices that were seen once this update was put away. */
export function afterUpdate(seen: SeenDevices, { kind, devicePub, name }: DeviceUpdate): SeenDevices {
  const { [devicePub]: _, ...others } = seen;
  return kind === "linked" ? { ...others, [devicePub]: name } : others;
}

/** Updates of one's own devices, and the way to put one away. Devices listed at the first check are not updates. */
export function useDeviceUpdates(): { readonly updates: readonly DeviceUpdate[]; readonly seen: (item: DeviceUpdate) => void } {
  const { masterPub, devicePub } = useAccount();
  const devices = useQuery(useNodeQueries().devices(masterPub)).data;
  const known = useSeen(({ seen }) => seen[devicePub]);
  const save = useSeen((store) => store.save);
  const isListed = devices?.some(({ x25519_pub_key: key }) => key === devicePub) === true;
  useEffect(() => {
    if (known === undefined && isListed && devices !== undefined)
      save(devicePub, Object.fromEntries(devices.map(({ x25519_pub_key: key, device_name: name }) => [key, name])));
  }, [known, isListed, devices, devicePub, save]);
  const updates = useMemo(
    () => (known === undefined || devices === undefined ? [] : deviceUpdates(known, devices, devicePub)),
    [known, devices, devicePub],
  );
  return { updates, seen: (item): void => save(devicePub, afterUpdate(known ?? {}, item)) };
}

/** Says that this device itself has linked one: its person knows already. */
export function markDeviceSeen(own: X25519KeyHex, device: { readonly devicePub: X25519KeyHex; readonly name: string }): void {
  const { seen, save } = useSeen.getState();
  save(own, { ...seen[own], [device.devicePub]: device.name });
}

/** Says that this device itself has unlinked one. */
export function markDeviceGone(own: X25519KeyHex, devicePub: X25519KeyHex): void {
  const { seen, save } = useSeen.getState();
  const { [devicePub]: _, ...others } = seen[own] ?? {};
  save(own, others);
}
