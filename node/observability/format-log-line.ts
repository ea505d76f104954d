// A JSON line of the log → a line for people: `12:34:56.789 info  api: message  key=value`.

interface LogRecord {
  readonly time?: string;
  readonly level?: string;
  readonly module?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [field: string]: unknown;
}

/** The line for people; a line that is no JSON object stays as it is. The stack of an error follows, indented. */
export function formatLogLine(line: string): string {
  let record: LogRecord;
  try {
    record = JSON.parse(line) as LogRecord;
  } catch {
    return line;
  }
  const { time = "", level = "", module, msg = "", err, ...fields } = record;
  const text = Object.entries(fields)
    .map(([name, value]) => `  ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("");
  const stack = err === undefined ? "" : `\n    ${(err.stack ?? err.message ?? "").replaceAll("\n", "\n    ")}`;
  return `${time.slice(11, 23)} ${level.padEnd(5)} ${module === undefined ? "" : `${module}: `}${msg}${text}${stack}\n`;
}
