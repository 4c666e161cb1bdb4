import { createHash } from 'node:crypto';
import type { Config } from '../system/settings/config.ts';

/**
 * Headers of every response. Pages have their own policy (`pageSecurityPolicy`); other responses may
 * load nothing and cannot be framed.
 */
const always = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  // Image responses override this, because other sites may show them.
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};
/** Two years, as browsers' preload lists recommend. */
const httpsOnly = { 'strict-transport-security': 'max-age=63072000' };

export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  return publicUrl?.startsWith('https:') ? { ...always, ...httpsOnly } : always;
}

/**
 * Content security policy of a page.
 * @param scriptHashes hashes of inline scripts (`sha256-…`)
 * @param styleHashes hashes of inline styles
 */
export function pageSecurityPolicy(scriptHashes: string[], styleHashes: string[]): string {
  const quoted = (hashes: string[]) => hashes.map((hash) => ` '${hash}'`).join('');
  return [
    "default-src 'none'",
    `script-src 'self'${quoted(scriptHashes)}`,
    `style-src 'self'${quoted(styleHashes)}`,
    // Covers may be on other sites; the preview of a chosen file is a blob URL.
    "img-src 'self' https: blob: data:",
    "media-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

/** Hash of an inline script or style for `pageSecurityPolicy`. */
export function cspHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
