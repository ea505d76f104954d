// Hands a text to the person as a file.

/** Kept this long: the browser reads the data after the click. */
const KEPT_MS = 10_000;

/** Saves a text under a name, where the browser or the desktop shell puts downloads. */
export function saveTextFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
