/**
 * The origin form (`/path?query`) of a request target. Servers must accept the absolute form
 * (`http://host/path`) too (RFC 9112, 3.2.2); its host is not used. Never throws.
 */
export function originForm(target: string): string {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split('#', 1)[0] ?? '';
  return path.startsWith('/') ? path : `/${path}`;
}
