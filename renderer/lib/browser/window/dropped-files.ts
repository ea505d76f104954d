// Files that are dragged over the window. A view takes them as a whole; where none does, they are refused: a browser would open them and
// leave the app.

/** What a view does with dragged files. */
export interface FileDropTarget {
  /** Files are over the window, or have left it. */
  readonly onOver: (isOver: boolean) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The part of a window that is listened to. */
export type DropSource = Pick<EventTarget, "addEventListener" | "removeEventListener">;

/** Refuses files that no view and no field takes. Returns the way to stop. */
export function refuseDroppedFiles(source: DropSource): () => void {
  const onDrag = (given: Event): void => {
    const event = given as DragEvent;
    if (event.defaultPrevented || !hasFiles(event) || isFileField(event.target)) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "none";
  };
  return listen(source, { dragover: onDrag, drop: onDrag }, false);
}

/** Takes files that are dropped anywhere in the window where `takes` allows it. Returns the way to stop. */
export function takeDroppedFiles(source: DropSource, takes: (target: EventTarget | null) => boolean, target: FileDropTarget): () => void {
  const onOver = (given: Event): void => {
    const event = given as DragEvent;
    if (!hasFiles(event) || isFileField(event.target) || !takes(event.target)) return;
    event.preventDefault();
    target.onOver(true);
  };
  const onLeave = (given: Event): void => {
    // Only what leaves the window leads nowhere: the others enter another element.
    if ((given as DragEvent).relatedTarget === null) target.onOver(false);
  };
  const onDrop = (given: Event): void => {
    const event = given as DragEvent;
    target.onOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0 || isFileField(event.target) || !takes(event.target)) return;
    event.preventDefault();
    target.onFiles(files);
  };
  return listen(source, { dragenter: onOver, dragover: onOver, dragleave: onLeave, drop: onDrop }, true);
}

function listen(source: DropSource, listeners: Readonly<Record<string, (event: Event) => void>>, capture: boolean): () => void {
  for (const [type, listener] of Object.entries(listeners)) source.addEventListener(type, listener, { capture });
  return () => {
    for (const [type, listener] of Object.entries(listeners)) source.removeEventListener(type, listener, { capture });
  };
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
}

function isFileField(target: EventTarget | null): boolean {
  return (target as Partial<HTMLInputElement> | null)?.type === "file";
}
