import { expect, it } from "vitest";
import { NewsOracle } from "./news-oracle.ts";

it("finds a text that is taken for new twice, and a new one that is taken for a repeat", () => {
  const oracle = new NewsOracle();
  const came = { from: "ann-1", instance: "one", text: "a", isNew: true, wasThere: false };
  oracle.note(came);
  oracle.note({ ...came, isNew: false, wasThere: true });
  oracle.note({ ...came, instance: "two", wasThere: true });
  expect(oracle.wrong, "everything of another instance is new").toEqual([]);
  const image = oracle.copy();
  oracle.note({ ...came, wasThere: true });
  oracle.note({ ...came, text: "b", isNew: false });
  expect(oracle.wrong.map(({ words }) => words)).toEqual(["took a for new twice", "took b for a repeat, and did not have it"]);
  expect(image.wrong).toEqual([]);
});
