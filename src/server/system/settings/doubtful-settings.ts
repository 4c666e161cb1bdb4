import type { Config } from './config.ts';

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Whether visitors use plain http, other than on the server's own machine. */
export function isPlainHttp({ publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  const { protocol, hostname } = new URL(publicUrl ?? 'http://localhost');
  return protocol === 'http:' && !localHosts.includes(hostname);
}

/** Finds settings that are valid but allow passwords to be guessed or intercepted. @returns a sentence for each */
export function findDoubts(config: Config): string[] {
  const { publicUrl, trustProxy, rateLimits } = config;
  const doubts: [boolean, string][] = [
    [
      publicUrl?.startsWith('https:') === true && trustProxy === 0,
      'PUBLIC_URL is https, so a proxy is in front, and TRUST_PROXY is off: all clients count as one, and wrong passwords of one make all others wait. Set TRUST_PROXY=1',
    ],
    [
      isPlainHttp(config),
      'PUBLIC_URL is http: passwords are sent unencrypted. Put TLS in front, and use https',
    ],
    [!rateLimits, 'RATE_LIMITS is off: passwords can be guessed without limit. Remove the setting'],
  ];
  return doubts.flatMap(([isDoubtful, sentence]) => (isDoubtful ? [sentence] : []));
}
