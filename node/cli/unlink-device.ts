// parley unlink-device: revoke a device of the identity.
import type { Command } from "commander";
import { toHex } from "#shared/util/bytes.ts";
import { type SubmitOptions, submitAndReport } from "./client-session.ts";
import { withSubmitOptions } from "./submit-options.ts";
import type { CommandContext } from "./terminal.ts";

/** Adds the command. */
export function addUnlinkDeviceCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("unlink-device")
    .description("revoke a device: nobody sends messages to it any more")
    .option("--device <key>", "X25519 key of the device in hex (default: the key file's own)");
  withSubmitOptions(command).action((options: SubmitOptions & { readonly device?: string }) =>
    submitAndReport(context, options, "Device unlinked", (keys) => ({
      kind: "unlinkDevice",
      devicePub: options.device ?? toHex(keys.device.publicKey),
    })),
  );
}
