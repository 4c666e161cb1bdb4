import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../http/api-error.ts';
import { requireHost } from '../../http/site-origin.ts';
import type { Config } from '../../system/settings/config.ts';

/** The WebAuthn relying party: its host name, and the origin of its pages. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Returns the host of `PUBLIC_URL` as the relying party if it is https or `localhost`.
 * @throws ApiError `passkeys_unavailable` otherwise
 */
export function relyingParty(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  request: FastifyRequest,
): RelyingParty {
  const { protocol, hostname, origin } = new URL(publicUrl ?? `http://${requireHost(request)}`);
  const isName = hostname.includes('.') && isIP(hostname) === 0;
  if (hostname === 'localhost' || (protocol === 'https:' && isName))
    return { id: hostname, origin };
  throw new ApiError('passkeys_unavailable');
}
