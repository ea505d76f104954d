// Stands for the program in tests of the launcher: says how it was started and ends with code 3.
const args: readonly string[] = process.argv.slice(2);
process.stdout.write(`launched=${process.env.PARLEY_LAUNCHED} args=${args.join(",")} node=${process.versions.node}\n`);
process.exitCode = 3;
