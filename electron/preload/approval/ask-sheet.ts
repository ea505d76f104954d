// A program asks to connect: what it wants, what the person makes of it, the number and the password.
import { DEFAULT_CONNECTION_DAYS, MAX_CHOSEN, MAX_CONNECTION_DAYS } from "#shared/apps/app-limits.ts";
import type { GrantInput, WaitingRequest } from "#shared/apps/messages/approval-api.ts";
import { formatScopes, parseScopes } from "#shared/apps/scopes/parse-scopes.ts";
import { needsPassword, type Scope } from "#shared/apps/scopes/scopes.ts";
import type { OfferedPerson } from "#shared/desktop/desktop-apps.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { button, element, group } from "../window/elements.ts";
import type { ApprovalWords } from "./approval-words.ts";
import { line, several } from "./fields.ts";
import { pictureOf } from "./picture.ts";
import { scopeField, Unusable } from "./scope-fields.ts";
import { rows, type Sheet } from "./sheet.ts";

/** What the sheet's buttons do. */
export interface AskActions {
  readonly connect: (read: () => GrantInput) => void;
  readonly refuse: () => void;
}

export function askSheet(request: WaitingRequest, people: readonly OfferedPerson[], words: ApprovalWords, actions: AskActions): Sheet {
  const scopes = parseScopes(request.scopes);
  const code = line(words.code, "", "code");
  const fields = scopes.map((scope) => scopeField(scope, request.names, words));
  const choices = people.map(({ id, name }) => ({ id, text: `${visibleText(name)} – ${shortId(id)}` }));
  const chosen = several(words.people(MAX_CHOSEN), choices, false);
  const days = line(words.days, String(DEFAULT_CONNECTION_DAYS), "number");
  const password = line(words.password, "", "password");
  const read = (): GrantInput => {
    const grant = fields.map((field) => field.value()).filter((scope) => scope !== undefined);
    const isForChosen = grant.some(isOfChosen);
    const input = {
      id: request.id,
      code: readCode(code.value(), words),
      grant: readGrant(grant, words),
      chosen: isForChosen ? readChosen(chosen.value(), words) : [],
      days: readDays(days.value(), words),
    };
    const needs = grant.some(needsPassword) || input.days > DEFAULT_CONNECTION_DAYS;
    if (needs && password.value() === "") throw new Unusable(words.problems.passwordMissing);
    return { ...input, ...(needs ? { password: password.value() } : {}) };
  };
  return {
    title: words.askTitle,
    parts: [
      group("div", "program", pictureOf(request.name), element("p", words.askText(request.name))),
      ...(request.reason === "" ? [] : [rows([words.reason, request.reason])]),
      code.view,
      group("fieldset", "scopes", element("legend", words.may), ...fields.map(({ view }) => view)),
      ...(scopes.some(isOfChosen) ? [choices.length === 0 ? element("p", words.noPeople) : chosen.view] : []),
      days.view,
      password.view,
      element("p", words.ownLimits, "source"),
    ],
    buttons: [button(words.refuse, "", actions.refuse), button(words.connect, "agree", () => actions.connect(read))],
    focus: code.view.querySelector("input") ?? code.view,
  };
}

/** Scopes that hold for the people and groups that the person chooses. */
function isOfChosen(scope: Scope): boolean {
  return scope.name === "contacts.read" || scope.name === "messages.read" || (scope.name === "messages.send" && scope.to === "chosen");
}

function readCode(text: string, { problems }: ApprovalWords): string {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^\d{6}$/.test(digits)) throw new Unusable(problems.codeMissing);
  return digits;
}

function readGrant(scopes: readonly Scope[], { problems }: ApprovalWords): readonly string[] {
  if (scopes.length === 0) throw new Unusable(problems.nothingChosen);
  return formatScopes(scopes);
}

function readChosen(chosen: readonly string[], { problems }: ApprovalWords): readonly string[] {
  if (chosen.length === 0 || chosen.length > MAX_CHOSEN) throw new Unusable(problems.people);
  return chosen;
}

function readDays(text: string, { problems }: ApprovalWords): number {
  const days = Number(text);
  if (!Number.isSafeInteger(days) || days < 1 || days > MAX_CONNECTION_DAYS) throw new Unusable(problems.days);
  return days;
}

/** Names come from the page: two that read alike differ here. */
function shortId(id: string): string {
  return `…${id.slice(-12)}`;
}
