// What a simulated device is given, and what is kept of it.
import type { Random } from "#test/support/host/random.ts";
import type { ChainTime } from "../network/chain-times.ts";
import type { DeviceLists } from "../network/device-lists.ts";
import type { MailNetwork } from "../network/mail-network.ts";
import type { DeviceOracles } from "../oracles/device-oracles.ts";
import type { Relations } from "../people/liars.ts";
import type { Disk } from "./simulated-disk.ts";

/** Everything around a device. */
export interface DeviceWorld {
  readonly random: Random;
  readonly network: MailNetwork;
  /** Where its mail is; a copy has one of its own that gets the same. */
  readonly box?: string;
  readonly lists?: DeviceLists | undefined;
  readonly chain?: ChainTime;
  readonly relations?: Relations | undefined;
  /** Strangers without number are taken for people whom it knows, as they must not be. */
  readonly welcomes?: boolean;
}

/** A disk, and what must be on it by the rules. */
export interface DeviceImage {
  readonly disk: Disk;
  readonly oracles: DeviceOracles;
}
