// The picture code of a program, as the interface draws it too.
import { appPictureKey } from "#shared/apps/scopes/app-picture.ts";
import { IDENTICON_SIZE, identiconPattern } from "#shared/text/identicon.ts";

const SVG = "http://www.w3.org/2000/svg";
const BOX = IDENTICON_SIZE + 2;

/** Decorative: the name is beside it. */
export function pictureOf(name: string): SVGElement {
  const { cells, background, soft, strong } = identiconPattern(appPictureKey(name));
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${BOX} ${BOX}`);
  picture.setAttribute("class", "picture");
  picture.setAttribute("aria-hidden", "true");
  picture.append(
    rectangle(0, 0, BOX, background),
    ...cells.map(({ x, y, isStrong }) => rectangle(x + 1, y + 1, 1, isStrong ? strong : soft)),
  );
  return picture;
}

function rectangle(x: number, y: number, size: number, fill: string): SVGElement {
  const made = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x, y, width: size, height: size, fill })) made.setAttribute(name, String(value));
  return made;
}
