const maxNameChars = 100;

/**
 * The name under which an image is kept, from whatever a person's file was called: no folders, no
 * characters that hide or reorder others, and the ending of what the bytes really are.
 */
export function safeFileName(raw: string, extension: string): string {
  const lastPart = raw.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const stem = lastPart
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}"<>:|?*%#]/gu, '')
    .replace(/\.[^.]{1,5}$/u, '')
    .replace(/\s+/gu, ' ')
    .replace(/^[. ]+|[. ]+$/gu, '');
  const cut = [...stem].slice(0, maxNameChars).join('').trim();
  return `${cut || 'imagen'}.${extension}`;
}

/** The same name with a short hash of the bytes before its extension. */
export function nameWithHash(name: string, sha256Hex: string): string {
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot)}-${sha256Hex.slice(0, 8)}${name.slice(dot)}`;
}
