// parley link-device: list a device of the identity.
import type { Command } from "commander";
import { withExamples } from "../../session/examples.ts";
import { deviceKeyOf } from "../../session/keys/key-file.ts";
import { draftOf, type SubmitOptions, submitAndReport, withSubmitOptions } from "../../session/submit.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface LinkOptions extends SubmitOptions {
  readonly name: string;
  readonly device?: string;
}

export function addLinkDeviceCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("link-device")
    .description("link a device, so that it receives messages too")
    .requiredOption("--name <text>", "public name of the device, at most 64 bytes")
    .option("--device <key>", "X25519 key of the device in hex (default: the key file's own)");
  withExamples(
    withSubmitOptions(command),
    "link-device --key alice.json --name laptop --wait",
    "link-device --key alice.json --name phone --device 5d8e…",
  ).action((options: LinkOptions) =>
    submitAndReport(context, options, ({ signer }) => ({
      what: "Device linked",
      draft: draftOf({ kind: "linkDevice", deviceName: options.name, devicePub: options.device ?? deviceKeyOf(signer) }, signer),
    })),
  );
}
