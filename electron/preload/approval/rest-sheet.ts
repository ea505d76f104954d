// A connection that rests, as its files were replaced by older ones: it ends, or continues with the password.
import type { ConnectionEntry } from "#shared/apps/messages/approval-api.ts";
import { button, element, group } from "../window/elements.ts";
import type { ApprovalWords } from "./approval-words.ts";
import { line } from "./fields.ts";
import { pictureOf } from "./picture.ts";
import { Unusable } from "./scope-fields.ts";
import type { Sheet } from "./sheet.ts";

/** What the sheet's buttons do. */
export interface RestActions {
  readonly confirm: (password: () => string) => void;
  readonly end: () => void;
}

export function restSheet(connection: ConnectionEntry, words: ApprovalWords, actions: RestActions): Sheet {
  const password = line(words.password, "", "password");
  const read = (): string => {
    if (password.value() === "") throw new Unusable(words.problems.passwordMissing);
    return password.value();
  };
  return {
    title: words.restTitle(connection.name),
    parts: [
      group("div", "program", pictureOf(connection.name), element("p", words.restText)),
      group("ul", "plain", ...connection.scopes.map((scope) => element("li", scope))),
      password.view,
    ],
    buttons: [button(words.end, "", actions.end), button(words.goOn, "agree", () => actions.confirm(read))],
  };
}
