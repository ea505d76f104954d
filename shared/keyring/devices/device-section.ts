// Changes of what is stored of a device, as pure steps: they are made to whatever the storage holds, again where another window was faster.
import type { RandomBytes } from "#shared/util/clock.ts";
import { withCertificate } from "../vault/device-credentials.ts";
import type { DeviceCertificate, DeviceSection } from "../vault/vault-secrets.ts";
import { EpochKeys, type EpochTime } from "./epoch-keys.ts";

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
