const maxNameChars = 100;

/**
 * Sanitizes the name of an uploaded file: removes folders and characters that hide or reorder others, limits its
 * length, and gives it an extension that matches the content.
 * @param extensions matching ones, the usual one first
 * @param unnamed the name of a file without one
 */
export function safeFileName(raw: string, extensions: string[], unnamed = 'imagen'): string {
  const lastPart = raw.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const clean = lastPart
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}"<>:|?*%#]/gu, '')
    .replace(/\s+/gu, ' ');
  const [, stem = clean, ending = ''] = /^(.*)\.([^.]{1,5})$/u.exec(clean) ?? [];
  const cut = [...stem.replace(/^[. ]+/u, '')].slice(0, maxNameChars);
  const end = cut.findLastIndex((char) => char !== '.' && char !== ' ') + 1;
  const fitting = extensions.includes(ending.toLowerCase()) ? ending : extensions[0];
  return `${cut.slice(0, end).join('') || unnamed}.${fitting}`;
}

/** Inserts a hash, or a part of one, before the extension of a file name. */
export function nameWithHash(name: string, hash: string): string {
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot)}-${hash}${name.slice(dot)}`;
}

/** The value of `content-disposition` by which browsers save a file under its name (RFC 6266). */
export function attachmentOf(name: string): string {
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${name.replace(/[^ -~]/g, '_')}"; filename*=UTF-8''${encoded}`;
}
