export type ImageKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';
/** What people choose by mistake, and can be told what to do about. */
type ForeignKind = 'svg' | 'pdf' | 'heic' | 'tiff' | 'bmp' | 'video' | 'other';
export type FileKind = ImageKind | ForeignKind;

/** How many of a file's first bytes tell what it is. */
export const headBytes = 1024;

const signatures: [FileKind, RegExp][] = [
  ['jpeg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['pdf', /^%PDF/],
  ['tiff', /^(II\*|MM.\*)/s],
  ['bmp', /^BM/],
  ['svg', /<svg[\s>]/i],
];

/** What a file is by its first bytes, whatever it calls itself. */
export function kindOf(head: Uint8Array): FileKind {
  const text = String.fromCharCode(...head);
  if (text.startsWith('ftyp', 4)) return kindOfMedia(text);
  return signatures.find(([, signature]) => signature.test(text))?.[0] ?? 'other';
}

/** AVIF, HEIC and films share a container, whose first box names the brands that it goes by. */
function kindOfMedia(text: string): FileKind {
  const brands = text.slice(8, text.charCodeAt(2) * 256 + text.charCodeAt(3));
  if (/avi[fs]/.test(brands)) return 'avif';
  return /hei|hev|mif1|msf1/.test(brands) ? 'heic' : 'video';
}
