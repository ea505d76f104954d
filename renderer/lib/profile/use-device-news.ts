// Devices of this identity that came or went since this device last looked. What it has seen is kept on it.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { DeviceRecord } from "#shared/api/schemas/chain.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { useAccount } from "../keyring/keyring-context.tsx";
import { useNodeQueries } from "../node/queries.ts";

/** A device that came or went. */
export interface DeviceNews {
  readonly kind: "linked" | "unlinked";
  readonly devicePub: X25519KeyHex;
  readonly name: string;
}

/** Names of the devices that were seen, by key; undefined before the first look. */
export type SeenDevices = Readonly<Record<X25519KeyHex, string>>;

interface SeenStore {
  readonly seen: Readonly<Record<X25519KeyHex, SeenDevices>>;
  keep(own: X25519KeyHex, devices: SeenDevices): void;
}

const useSeen = create<SeenStore>()(
  persist<SeenStore>((set) => ({ seen: {}, keep: (own, devices) => set(({ seen }) => ({ seen: { ...seen, [own]: devices } })) }), {
    name: "parley.devices",
    version: 1,
  }),
);

/** What is new since the devices were seen, this device aside. */
export function deviceNews(seen: SeenDevices, devices: readonly DeviceRecord[], own: X25519KeyHex): readonly DeviceNews[] {
  const linked = devices
    .filter(({ x25519_pub_key: key }) => key !== own && seen[key] === undefined)
    .map(({ x25519_pub_key: devicePub, device_name: name }) => ({ kind: "linked", devicePub, name }) as const);
  const unlinked = Object.entries(seen)
    .filter(([key]) => key !== own && !devices.some((device) => device.x25519_pub_key === key))
    .map(([devicePub, name]) => ({ kind: "unlinked", devicePub, name }) as const);
  return [...linked, ...unlinked];
}

/** The devices that were seen once this news was. */
export function afterNews(seen: SeenDevices, { kind, devicePub, name }: DeviceNews): SeenDevices {
  const { [devicePub]: _, ...others } = seen;
  return kind === "linked" ? { ...others, [devicePub]: name } : others;
}

/** News of one's own devices, and the way to put one away. Devices that are there at the first look are no news. */
export function useDeviceNews(): { readonly news: readonly DeviceNews[]; readonly seen: (item: DeviceNews) => void } {
  const { masterPub, devicePub } = useAccount();
  const devices = useQuery(useNodeQueries().devices(masterPub)).data;
  const known = useSeen(({ seen }) => seen[devicePub]);
  const keep = useSeen((store) => store.keep);
  const isListed = devices?.some(({ x25519_pub_key: key }) => key === devicePub) === true;
  useEffect(() => {
    if (known === undefined && isListed && devices !== undefined)
      keep(devicePub, Object.fromEntries(devices.map(({ x25519_pub_key: key, device_name: name }) => [key, name])));
  }, [known, isListed, devices, devicePub, keep]);
  const news = useMemo(
    () => (known === undefined || devices === undefined ? [] : deviceNews(known, devices, devicePub)),
    [known, devices, devicePub],
  );
  return { news, seen: (item): void => keep(devicePub, afterNews(known ?? {}, item)) };
}

/** Says that this device itself has linked one: no news to its person. */
export function markDeviceSeen(own: X25519KeyHex, device: { readonly devicePub: X25519KeyHex; readonly name: string }): void {
  const { seen, keep } = useSeen.getState();
  keep(own, { ...seen[own], [device.devicePub]: device.name });
}

/** Says that this device itself has unlinked one. */
export function markDeviceGone(own: X25519KeyHex, devicePub: X25519KeyHex): void {
  const { seen, keep } = useSeen.getState();
  const { [devicePub]: _, ...others } = seen[own] ?? {};
  keep(own, others);
}
