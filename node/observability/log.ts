// The node's log: one line an event on standard error, for people (text) or machines (json). Secrets never get into it.
import { pino } from "pino";
import { formatLogLine } from "./format-log-line.ts";

/** Where a module writes its events: details as plain values (`err` for an error), then a message. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** The same log with the name of a module in every line. */
  child(module: string): Log;
}

/** Takes finished lines, each with its line feed. */
export interface LogSink {
  write(line: string): void;
}

const SECRET_FIELDS = ["token", "password", "phrase", "seed", "secret", "secretKey", "secret_key", "authorization", "msg_b64"];

/** Log that writes to `sink`. Fields with the name of a secret are blanked, at the top and one level down. */
export function createLog(format: "text" | "json", sink: LogSink): Log {
  const stream: LogSink = format === "json" ? sink : { write: (line) => sink.write(formatLogLine(line)) };
  return wrap(
    pino(
      {
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: "[hidden]" },
        serializers: { err: pino.stdSerializers.err },
      },
      stream,
    ),
  );
}

/** Standard error, written before the call returns so that the last line of a crash is not lost. */
export function standardErrorSink(): LogSink {
  const destination = pino.destination({ fd: 2, sync: true });
  // A reader that went away must not take the node with it.
  destination.on("error", () => undefined);
  return destination;
}

function wrap(logger: Pick<ReturnType<typeof pino>, "debug" | "info" | "warn" | "error" | "child">): Log {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (module) => wrap(logger.child({ module })),
  };
}
