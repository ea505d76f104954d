// Where the selected text of a text field is in the window. A text field says nothing of it: the same text is laid out beside the page, and
// measured there.

/** What decides where letters are. */
const MEASURES = [
  "direction",
  "fontFamily",
  "fontSize",
  "fontStyle",
  "fontWeight",
  "fontVariationSettings",
  "letterSpacing",
  "lineHeight",
  "overflowWrap",
  "paddingBottom",
  "paddingLeft",
  "paddingRight",
  "paddingTop",
  "tabSize",
  "textAlign",
  "textIndent",
  "wordBreak",
  "wordSpacing",
] as const;

/** The first line of the selection, pixels of the window; never beyond the field, which may have scrolled. */
export function selectionPlace(field: HTMLTextAreaElement): DOMRect {
  const { value, selectionStart, selectionEnd, clientWidth, scrollTop, clientLeft, clientTop } = field;
  const box = field.getBoundingClientRect();
  const mirror = document.createElement("div");
  const style = getComputedStyle(field);
  for (const name of MEASURES) mirror.style[name] = style[name];
  Object.assign(mirror.style, {
    position: "fixed",
    top: "0",
    left: "0",
    visibility: "hidden",
    boxSizing: "border-box",
    width: `${clientWidth}px`,
    whiteSpace: "pre-wrap",
  });
  const marked = document.createElement("span");
  marked.textContent = value.slice(selectionStart, selectionEnd);
  mirror.append(value.slice(0, selectionStart), marked, value.slice(selectionEnd));
  document.body.append(mirror);
  const [line = marked.getBoundingClientRect()] = marked.getClientRects();
  mirror.remove();
  const top = Math.min(Math.max(box.top, box.top + clientTop + line.top - scrollTop), Math.max(box.top, box.bottom - line.height));
  return new DOMRect(box.left + clientLeft + line.left, top, line.width, line.height);
}
