// A selection of text whose row goes, as that of a message that disappears.

/**
 * The browser leaves an end of the selection whose row is gone between rows: those that come there while one scrolls would be selected, too.
 * Moves it into the row beside it that is selected. Needs nothing of its module: tests send it to a page.
 * @param list whose children are the rows
 */
export function keepInRows(list: Element): void {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed) return;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const first = startContainer === list ? list.children[startOffset] : undefined;
  const last = endContainer === list ? list.children[endOffset - 1] : undefined;
  if (first === undefined && last === undefined) return;
  const [start, startAt] = first === undefined ? [startContainer, startOffset] : [first, 0];
  const [end, endAt] = last === undefined ? [endContainer, endOffset] : [last, last.childNodes.length];
  const isBackward = selection.anchorNode === endContainer && selection.anchorOffset === endOffset;
  if (isBackward) selection.setBaseAndExtent(end, endAt, start, startAt);
  else selection.setBaseAndExtent(start, startAt, end, endAt);
}
