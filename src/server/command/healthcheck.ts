import { OperatorError } from '../operator-error.ts';
import type { Context } from './commands.ts';

const withinMs = 5000;

/** @throws OperatorError when the server of the settings does not respond */
export async function healthcheck({ config }: Context): Promise<void> {
  const { host, port } = config;
  const listening = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const url = `http://${listening.includes(':') ? `[${listening}]` : listening}:${port}/healthz`;
  try {
    const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(withinMs) });
    if (!ok) throw new Error(`status ${status}`);
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new OperatorError(`The server does not respond at ${url}: ${reason}.`);
  }
  console.log(`The server responds at ${url}.`);
}
