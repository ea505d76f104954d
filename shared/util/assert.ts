// Assertions for invariants: a failure is a defect of the program, never of its input.
import { CodedError } from "#shared/errors/coded-error.ts";

/** @throws CodedError INVARIANT when the condition does not hold. */
export function assertInvariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CodedError("INVARIANT", message);
}

/** Ends an exhaustive switch. @throws CodedError INVARIANT always. */
export function assertNever(value: never): never {
  throw new CodedError("INVARIANT", `Unexpected value ${String(value)}`);
}
