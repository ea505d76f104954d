// Changes of what is stored of a device, as pure steps: they are made to whatever the storage holds, again where another window was faster.
import { toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { withCertificate } from "../vault/device-credentials.ts";
import { MAX_DAY_KEYS } from "../vault/vault-format.ts";
import type { DeviceCertificate, DeviceSection } from "../vault/vault-secrets.ts";
import { EpochKeys, type EpochTime } from "./epoch-keys.ts";

const DAY_KEY_ID_BYTES = 8;
const DAY_KEY_BYTES = 32;

/** Time and randomness of a change. */
export interface ChangeContext {
  readonly time: EpochTime;
  readonly random: RandomBytes;
}

/** The section with a new short-lived key where one is due, and with a certificate; undefined when it has both. */
export function renewedSection(
  section: DeviceSection,
  certificate: DeviceCertificate | undefined,
  { time, random }: ChangeContext,
): DeviceSection | undefined {
  const { certificates = [] } = section;
  const isNew = certificate !== undefined && !certificates.some(({ chainId }) => chainId === certificate.chainId);
  const epochs = new EpochKeys(section.epochs ?? [], random);
  try {
    if (!epochs.renew(time) && !isNew) return undefined;
    return { ...section, epochs: epochs.exportSecrets(), certificates: isNew ? withCertificate(certificates, certificate) : certificates };
  } finally {
    epochs.close();
  }
}

/** The section without the short-lived keys that nothing is sealed to any more; undefined when it has none of them. */
export function retiredSection(section: DeviceSection, { time, random }: ChangeContext): DeviceSection | undefined {
  const epochs = new EpochKeys(section.epochs ?? [], random);
  try {
    return epochs.retire(time) ? { ...section, epochs: epochs.exportSecrets() } : undefined;
  } finally {
    epochs.close();
  }
}

/** The section with a key for messages that disappear up to a time, milliseconds since 1970; undefined where there is no room. */
export function withDayKey(section: DeviceSection, until: number, random: RandomBytes): DeviceSection | undefined {
  const { dayKeys = [] } = section;
  if (dayKeys.length >= MAX_DAY_KEYS) return undefined;
  return { ...section, dayKeys: [...dayKeys, { id: random(DAY_KEY_ID_BYTES), until, secret: random(DAY_KEY_BYTES) }] };
}

/** The section without these day keys; undefined where it has none of them. */
export function withoutDayKeys(section: DeviceSection, ids: readonly string[]): DeviceSection | undefined {
  const { dayKeys = [] } = section;
  const left = dayKeys.filter(({ id }) => !ids.includes(toHex(id)));
  return left.length === dayKeys.length ? undefined : { ...section, dayKeys: left };
}
