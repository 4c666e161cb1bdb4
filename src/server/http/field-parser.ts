import { cleanText, visibleKey } from '../../shared/clean-text.ts';
import { limits } from '../../shared/limits.ts';
import { numberText } from '../../shared/number-texts.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { ApiError, type FieldError } from './api-error.ts';
import { passwordText } from './password-text.ts';
import { isLocalOrigin } from './site-origin.ts';

/** Matches a text of only white space and invisible characters, which counts as empty. */
const invisible = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]*$/u;
const marks = /\p{M}+/gu;

/** The message for a field that must not be empty. */
export const emptyText = 'Este campo no puede quedar vacío.';

/**
 * Parses the fields of one body into stored values and collects their errors, so that a form can show
 * all of them at once. Call `done` before using any value.
 */
export class FieldParser {
  readonly #errors: FieldError[] = [];

  /**
   * Parses a text: cleaned, trimmed and in NFC. Rejects it if it is invisible or longer than `maxChars`. Pass a
   * single-line text through `oneLine` or `visibleName` first, a comment or description through `bulletedText`.
   * @param count counts the characters of the trimmed text; by default its code points
   */
  text(field: string, raw: string, maxChars: number, count = countChars): string {
    const clean = cleanText(raw);
    if (!this.#isStorable(field, clean)) return '';
    const value = clean.trim().normalize('NFC');
    const chars = count(value);
    if (invisible.test(value)) this.reject(field, emptyText);
    else if (chars > maxChars) {
      this.reject(
        field,
        `Como mucho ${numberText(maxChars)} caracteres; ahora tiene ${numberText(chars)}.`,
      );
    }
    return value;
  }

  optionalText(field: string, raw: string, maxChars: number, count = countChars): string {
    return invisible.test(raw) ? '' : this.text(field, raw, maxChars, count);
  }

  /** Removes invisible characters. Rejects a colon, which a user name in Basic authentication cannot contain. */
  email(field: string, raw: string): string {
    const value = this.text(field, visibleKey(raw), limits.emailChars);
    if (value.includes(':')) this.reject(field, 'El correo no puede llevar dos puntos (:).');
    return value;
  }

  /** Parses a password, normalized by `passwordText`. */
  password(field: string, raw: string): string {
    if (!raw.isWellFormed()) {
      this.reject(field, 'Contiene caracteres que no se pueden usar. Quítalos.');
      return '';
    }
    const value = passwordText(raw);
    if (value === '') this.reject(field, emptyText);
    else if (value === undefined || Buffer.byteLength(value) > limits.passwordBytes) {
      this.reject(field, `Es demasiado larga: como mucho, ${limits.passwordBytes} bytes.`);
    }
    return value ?? '';
  }

  /**
   * Parses the URL of an image: a path of this site, or https of another site (http on localhost).
   * @param siteOrigins origins of this site: their URLs are stored as paths, so that an image has one URL
   */
  imageUrl(field: string, raw: string, siteOrigins: string[]): string {
    const value = storedUrl(raw, siteOrigins);
    if (value !== undefined && isImageUrl(value)) return value;
    this.reject(
      field,
      'Sube una imagen o usa una dirección de otro sitio que empiece por https://',
    );
    return '';
  }

  /** Parses the URL of an image or file that was uploaded to this site. */
  uploaded(field: 'images' | 'files', raw: string, siteOrigins: string[]): string {
    const value = storedUrl(raw, siteOrigins);
    if (value?.startsWith('/files/') && isOwnImage(value)) return value;
    const what = field === 'files' ? 'el archivo' : 'la imagen';
    this.reject(field, `Sube aquí ${what}: no puede estar en otro sitio.`);
    return '';
  }

  /** Adds an error. @param message Spanish text that says what to do */
  reject(field: string, message: string): void {
    this.#errors.push({ field, message });
  }

  /** @throws ApiError `invalid_fields` with all errors found */
  done(): void {
    if (this.#errors.length > 0) throw new ApiError('invalid_fields', { errors: this.#errors });
  }

  /** Whether the text can be stored and can be normalized in linear time: long runs of marks take quadratic time. */
  #isStorable(field: string, text: string): boolean {
    if (!text.isWellFormed()) {
      this.reject(field, 'Contiene caracteres que no se pueden guardar. Quítalos.');
      return false;
    }
    for (const [run] of text.matchAll(marks)) {
      if (run.length <= limits.marksInARow) continue;
      this.reject(field, 'Lleva demasiadas marcas, como acentos, sobre una letra. Quita algunas.');
      return false;
    }
    return true;
  }
}

/** Counts code points without building an array. */
export function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The URL in stored form; undefined when it cannot be stored. */
function storedUrl(raw: string, siteOrigins: string[]): string | undefined {
  const url = withoutSignature(raw);
  const isStorable = url.isWellFormed() && Buffer.byteLength(url) <= limits.imageUrlBytes;
  return isStorable ? withoutOrigin(url, siteOrigins) : undefined;
}

/** The path of an image of this site without the signature of `signedUrl`; any other URL unchanged. */
export function withoutSignature(url: string): string {
  return url.replace(/^(\/files\/[^?#]+)\?signature=[\w-]+$/, '$1');
}

/** Returns the path of a URL of this site, and any other URL unchanged. */
function withoutOrigin(raw: string, siteOrigins: string[]): string {
  const url = URL.parse(raw);
  if (!url) return raw;
  // A host name with a final dot is the same host.
  url.hostname = url.hostname.replace(/\.$/, '');
  const isOwn = siteOrigins.includes(url.origin) && url.username === '' && url.password === '';
  return isOwn ? raw.replace(/^https?:\/\/[^/?#\\]+/i, '') : raw;
}

function isImageUrl(value: string): boolean {
  if (value.startsWith('/')) return isOwnImage(value);
  const url = URL.parse(value);
  if (!url || !/^https?:\/\/[^/]/i.test(value) || /[\p{Cc}\s\\]/u.test(value)) return false;
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalOrigin(url.origin));
}

/** Accepts only the spelling that the site itself uses, so that an image has one URL. */
function isOwnImage(path: string): boolean {
  if (path === assetRoutes.defaultAvatar) return true;
  if (!/^\/files(?:\/[^/]+)+$/.test(path)) return false;
  // A path that the URL parser rewrites, such as one with `..`, names another resource.
  if (URL.parse(path, 'https://site.invalid')?.pathname !== path) return false;
  try {
    return assetRoutes.file(decodeURIComponent(path.slice('/files/'.length))) === path;
  } catch {
    return false;
  }
}
