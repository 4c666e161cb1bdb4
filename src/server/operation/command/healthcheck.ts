import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { OperatorError } from '../../system/operator-error.ts';
import type { Context } from './command-line.ts';

const withinMs = 5000;

/** @throws OperatorError when the server at HOST and PORT does not respond */
export async function healthcheck({ config }: Context): Promise<void> {
  const { host, port } = config;
  const listening = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const url = `http://${listening.includes(':') ? `[${listening}]` : listening}:${port}/healthz`;
  try {
    const status = await requestStatus(url);
    if (status !== 200) throw new Error(`status ${status}`);
  } catch (error) {
    const { name, message } = error as Error;
    const reason = name === 'AbortError' ? `nothing within ${withinMs / 1000} s` : message;
    throw new OperatorError(`The server does not respond at ${url}: ${reason}.`);
  }
  console.log(`The server responds at ${url}.`);
}

/** Avoids `fetch`, which refuses some ports, and the proxy that the environment may set. */
async function requestStatus(url: string): Promise<number | undefined> {
  const request = get(url, { agent: new Agent(), signal: AbortSignal.timeout(withinMs) });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
