// parley link-device: list a device of the identity.
import type { Command } from "commander";
import { type SubmitOptions, submitAndReport } from "./client-session.ts";
import { withSubmitOptions } from "./submit-options.ts";
import type { CommandContext } from "./terminal.ts";

interface LinkOptions extends SubmitOptions {
  readonly name: string;
  readonly device?: string;
}

/** Adds the command. */
export function addLinkDeviceCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("link-device")
    .description("list a device, so that messages are sent to it too")
    .requiredOption("--name <text>", "public name of the device, at most 64 bytes")
    .option("--device <key>", "X25519 key of the device in hex (default: the key file's own)");
  withSubmitOptions(command).action((options: LinkOptions) =>
    submitAndReport(context, options, "Device linked", () => ({
      kind: "linkDevice",
      deviceName: options.name,
      ...(options.device === undefined ? {} : { devicePub: options.device }),
    })),
  );
}
