const maxNameChars = 100;

/**
 * The name under which an image is kept, from whatever a person's file was called: no folders, no
 * characters that hide or reorder others, and an ending that fits what the bytes really are.
 * @param extensions that fit, the usual one first
 */
export function safeFileName(raw: string, extensions: string[]): string {
  const lastPart = raw.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const clean = lastPart
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}"<>:|?*%#]/gu, '')
    .replace(/\s+/gu, ' ');
  const [, stem = clean, ending = ''] = /^(.*)\.([^.]{1,5})$/u.exec(clean) ?? [];
  const cut = [...stem.replace(/^[. ]+/u, '')].slice(0, maxNameChars);
  const end = cut.findLastIndex((char) => char !== '.' && char !== ' ') + 1;
  const fitting = extensions.includes(ending.toLowerCase()) ? ending : extensions[0];
  return `${cut.slice(0, end).join('') || 'imagen'}.${fitting}`;
}

/** The same name with a hash, or a part of one, before its extension. */
export function nameWithHash(name: string, hash: string): string {
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot)}-${hash}${name.slice(dot)}`;
}
