/** Puts a file into the browser's downloads. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // After this delay the browser has begun to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
