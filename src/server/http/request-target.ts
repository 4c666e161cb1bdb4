/**
 * Normalizes a request target for the router. Never throws.
 * - The absolute form (`http://host/path`), which servers must accept (RFC 9112, 3.2.2), becomes the
 *   origin form (`/path?query`); its host is not used.
 * - A path that cannot be decoded gets its percent signs escaped, so that it is an unknown route like
 *   any other. Fastify would respond to the original without running hooks.
 */
export function toRoutable(target: string): string {
  const rest = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split('#', 1)[0] ?? '';
  const [path = '', ...query] = (rest.startsWith('/') ? rest : `/${rest}`).split('?');
  return [isDecodable(path) ? path : path.replaceAll('%', '%25'), ...query].join('?');
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
