// Hands bytes to the person as a file.

/** Saved as bytes of no type: the browser shows nothing of it. */
export function saveBytes(name: string, bytes: Uint8Array | Blob): void {
  const address = URL.createObjectURL(
    new Blob([bytes instanceof Blob ? bytes : new Uint8Array(bytes)], { type: "application/octet-stream" }),
  );
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
