// Hands a text or bytes to the person as a file.

/** Kept this long: the browser reads the data after the click. */
const KEPT_MS = 10_000;

/** Saves a text under a name, where the browser or the desktop shell puts downloads. */
export function saveTextFile(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Saved as bytes of no type: the browser shows nothing of it. */
export function saveBytes(name: string, bytes: Uint8Array | Blob): void {
  saveBlob(name, new Blob([bytes instanceof Blob ? bytes : new Uint8Array(bytes)], { type: "application/octet-stream" }));
}

function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
