// Why a module cannot be deployed. The chain keeps only that it cannot; the words are for its author.

/** Kinds of reasons. */
export type InvalidReason = "malformed" | "float" | "feature" | "limit" | "import" | "export" | "type" | "segment" | "memory";

/** Thrown while reading a module, and caught by whoever asked whether it can be deployed. */
export class InvalidModule extends Error {
  readonly reason: InvalidReason;

  constructor(reason: InvalidReason, message: string) {
    super(message);
    this.name = "InvalidModule";
    this.reason = reason;
  }
}
