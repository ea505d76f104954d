// Copying text. Needs a secure context (https, localhost, app://), which every way of serving the interface is.

/** Copies; false when the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
