// parley verify-proof: whether a file proves a payment, without asking a node.
import type { Command } from "commander";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";
import type { VerifyProofOptions } from "./proof-report.ts";

export function addVerifyProofCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("verify-proof")
    .description("check a saved proof of payment without asking a node")
    .argument("<file>", "proof of payment, saved in the wallet")
    .option("--genesis <file|hash>", "genesis.json of the network that you trust, or its hash")
    .option("--checkpoint <height:hash>", "a block that you trust instead, not above that of the payment")
    .option("--json", "print the result as JSON");
  withExamples(command, "verify-proof payment.json --genesis genesis.json", "verify-proof payment.json --checkpoint 1200:4f0c…").action(
    async (file: string, options: VerifyProofOptions) => {
      // Only this command needs the rules of light nodes.
      const { verifyProof } = await import("./proof-report.ts");
      await verifyProof(context, file, options);
    },
  );
}
