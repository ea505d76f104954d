// Commands that say what is wrong with a command line in the words that help most: a misspelt option before the option that it was meant
// to be is missing, everything that is missing at once, an option that is there twice, and where to read on.
import { Command, type Option } from "commander";

/** Options that add up beside those that begin as a list; of any other one, a second value would silently replace the first: a recipient, an amount. */
const REPEATABLE: ReadonlySet<string> = new Set(["--arg", "--arg64", "--where", "--validator", "--set"]);

/** A command of the tree. Its two last methods replace those of commander, whose types leave them out. */
export class ParleyCommand extends Command {
  override createCommand(name?: string): ParleyCommand {
    return new ParleyCommand(name);
  }

  override addOption(option: Option): this {
    super.addOption(option);
    // A node is configured in layers: what comes last holds, as in its file and its environment.
    const addsUp = option.variadic || Array.isArray(option.defaultValue) || REPEATABLE.has(option.long ?? "");
    const isSingle = this.name() !== "node" && (option.required || option.optional) && !addsUp;
    let isGiven = false;
    if (isSingle)
      this.on(`option:${option.name()}`, () => {
        if (isGiven) this.error(`error: option '${option.flags}' is there twice`);
        isGiven = true;
      });
    return this;
  }

  /** A required option was not given. @throws CommanderError */
  missingMandatoryOptionValue(option: Option): never {
    const misspelt = this.args.find((word) => /^--?[A-Za-z]/.test(word));
    if (misspelt !== undefined) this.unknownOption(misspelt);
    const [, ...others] = this.options.filter((known) => known.mandatory && this.getOptionValue(known.attributeName()) === undefined);
    const missing = `required option '${option.flags}' not specified`;
    const further = others.length === 0 ? "" : `; missing too: ${others.map(({ flags }) => `'${flags}'`).join(", ")}`;
    const unnamed = this.args.slice(this.registeredArguments.length);
    const extra =
      unnamed.length === 0 || this.registeredArguments.some(({ variadic }) => variadic)
        ? ""
        : `; ${unnamed.map((word) => `"${word}"`).join(", ")} ${unnamed.length === 1 ? "needs" : "need"} the name of an option in front`;
    return this.error(`error: ${missing}${further}${extra}`, { code: "commander.missingMandatoryOptionValue" });
  }

  /** Refuses an option that the command does not have; commander's own method, which suggests a similar one. */
  declare unknownOption: (flag: string) => never;
}

/** Names the help of each command behind its errors. */
export function pointToHelp(command: Command, path: string = command.name()): void {
  command.showHelpAfterError(`See "${path} --help".`);
  for (const child of command.commands) pointToHelp(child, `${path} ${child.name()}`);
}
