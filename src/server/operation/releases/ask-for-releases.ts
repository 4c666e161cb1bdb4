import type { FastifyBaseLogger } from 'fastify';
import type { AppServices } from '../../services.ts';
import { dayMs } from '../../system/times.ts';
import { newestEntry } from './parse-feed.ts';

/** After the start, which has more urgent work. */
const firstMs = 60_000;
const requestMs = 20_000;
const maxBytes = 1_000_000;

type Log = Pick<FastifyBaseLogger, 'warn'>;
type Services = Pick<AppServices, 'config' | 'releases'>;

/** Asks for the feed of releases soon and then once a day until the process ends, if one is configured. */
export function startAskingForReleases(services: Services, log: Log): void {
  if (services.config.releasesUrl === undefined) return;
  const ask = () => askForReleases(services, log);
  setTimeout(ask, firstMs).unref();
  setInterval(ask, dayMs).unref();
}

/** Keeps the newest entry of RELEASES_URL. A failure is logged as a warning, and what was read before stays. Never throws. */
export async function askForReleases({ config, releases }: Services, log: Log): Promise<void> {
  const { releasesUrl = '' } = config;
  try {
    const newest = newestEntry(await fetchText(releasesUrl), releasesUrl);
    if (!newest) throw new Error('it has no entry with a title, a link and a time');
    releases.newest = newest;
  } catch (error) {
    const { message, cause } = error as Error;
    const code = (cause as NodeJS.ErrnoException | undefined)?.code;
    log.warn(`RELEASES_URL was not read: ${code ?? message}`);
  }
}

/** Sends nothing about the site or its version, and follows no redirect. */
async function fetchText(url: string): Promise<string> {
  const headers = { accept: 'application/atom+xml, */*;q=0.1', 'user-agent': 'tertulia' };
  const signal = AbortSignal.timeout(requestMs);
  const response = await fetch(url, { headers, redirect: 'manual', signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Ending the loop closes the connection.
    if (bytes > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
