/** Saves a file by clicking a link to it, which works in every browser. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // After this delay the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
