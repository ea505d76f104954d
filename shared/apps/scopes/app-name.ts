// Names that programs give themselves. Parley cannot check who is behind one, but no name can be taken for another or for Parley itself.
import { CodedError } from "#shared/errors/coded-error.ts";
import { countCodePoints } from "#shared/protocol/primitives/printable.ts";
import { mixesScripts, nameSkeleton } from "#shared/text/confusable-names.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { MAX_APP_NAME_CHARS } from "../app-limits.ts";

const OWN_SKELETON = nameSkeleton("Parley");

/** The name as it is shown. `taken` are the names of connections that have not ended. @throws CodedError BAD_REQUEST saying what is wrong. */
export function requireAppName(text: string, taken: readonly string[]): string {
  const name = text.normalize("NFC");
  const skeleton = nameSkeleton(name);
  if (countCodePoints(name) > MAX_APP_NAME_CHARS) throw invalid(`has at most ${MAX_APP_NAME_CHARS} characters`);
  if (skeleton === "" || name !== name.trim() || / {2}/.test(name))
    throw invalid("has letters or digits, and single blanks only between them");
  if (visibleText(name) !== name) throw invalid("has a character that cannot be seen");
  if (mixesScripts(name)) throw invalid("mixes letters of several scripts in one word");
  if (skeleton.includes(OWN_SKELETON)) throw invalid("looks like Parley's own");
  if (taken.some((other) => nameSkeleton(other) === skeleton)) throw invalid("looks like that of another connection");
  return name;
}

function invalid(rule: string): CodedError {
  return new CodedError("BAD_REQUEST", `name ${rule}`, { details: { field: "name" } });
}
