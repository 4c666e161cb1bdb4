import type { Config } from './config.ts';

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Finds settings that are valid but allow passwords to be guessed or intercepted. @returns a sentence for each */
export function findDoubts({ publicUrl, trustProxy, rateLimits }: Config): string[] {
  const { protocol, hostname } = new URL(publicUrl ?? 'http://localhost');
  const doubts: [boolean, string][] = [
    [
      protocol === 'https:' && trustProxy === 0,
      'PUBLIC_URL is https, so a proxy is in front, and TRUST_PROXY is off: all clients count as one, and wrong passwords of one make all others wait. Set TRUST_PROXY=1',
    ],
    [
      protocol === 'http:' && !localHosts.includes(hostname),
      'PUBLIC_URL is http: passwords are sent unencrypted. Put TLS in front, and use https',
    ],
    [!rateLimits, 'RATE_LIMITS is off: passwords can be guessed without limit. Remove the setting'],
  ];
  return doubts.flatMap(([isDoubtful, sentence]) => (isDoubtful ? [sentence] : []));
}
