import { describe, expect, it } from "vitest";
import {
  laterText,
  matchingCommands,
  type SlashPlace,
  slashCommands,
  textBehind,
} from "#renderer/features/inbox/composer/slash/slash-commands.ts";

const person: SlashPlace = { kind: "person", maySend: true, hasCamera: true };

describe("commands behind a slash", () => {
  it("are those that the chat has", () => {
    expect(slashCommands(person)).toEqual(["pay", "request", "poll", "later", "photo", "file"]);
    expect(slashCommands({ ...person, kind: "group" })).toEqual(["split", "poll", "later", "photo", "file"]);
    expect(slashCommands({ ...person, kind: "self", hasCamera: false })).toEqual(["later", "file"]);
    expect(slashCommands({ kind: "group", maySend: false, hasCamera: false })).toEqual(["file"]);
  });

  it("are narrowed by what is typed of their names, and gone behind it", () => {
    const all = slashCommands(person);
    expect(matchingCommands(all, "/")).toEqual(all);
    expect(matchingCommands(all, "/p")).toEqual(["pay", "poll", "photo"]);
    expect(matchingCommands(all, "/PO")).toEqual(["poll"]);
    for (const text of ["", "p", "/pay ", "/pay 5", "/x", " /p", "/etc/hosts"]) expect(matchingCommands(all, text)).toEqual([]);
  });

  it("leave themselves in the field where something follows, and nothing else", () => {
    expect(textBehind("pay")).toBe("/pay ");
    expect(textBehind("later")).toBe("/later ");
    expect(textBehind("poll")).toBe("");
  });

  it("send later what stands behind the word", () => {
    expect(laterText("/later Good morning\n/later")).toBe("Good morning\n/later");
    for (const text of ["/later", "/later  ", "/laternow", "send /later x"]) expect(laterText(text)).toBeUndefined();
  });
});
