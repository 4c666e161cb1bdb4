import autocannon, { type Request } from 'autocannon';
import { cpuMicros, type Server } from './server.ts';

interface LoadJob {
  /** Number of keep-alive connections. Each sends its next request after the response to the previous one. */
  connections: number;
  seconds: number;
  /** Each connection repeats these in order. */
  requests: Request[];
  /** Requests per second over all connections; undefined for as many as possible. */
  perSecond?: number;
}

interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Processor time of the server per response, in microseconds. */
  cpuMicros: number;
}

/** Puts load on a server from a separate thread. @throws when any response is not 2xx */
export async function load(server: Server, job: LoadJob): Promise<Measured> {
  const before = cpuMicros(server.pid);
  const { latency, requests, errors, timeouts, non2xx } = await autocannon({
    url: server.url,
    connections: job.connections,
    duration: job.seconds,
    requests: job.requests,
    workers: 1,
    // With a rate, latencies are measured from when a request was due.
    ...(job.perSecond === undefined ? {} : { overallRate: job.perSecond }),
  });
  if (errors + timeouts + non2xx > 0) {
    throw new Error(`${errors} errors, ${timeouts} time-outs, ${non2xx} responses were not 2xx`);
  }
  return {
    perSecond: requests.total / job.seconds,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    maxMs: latency.max,
    cpuMicros: (cpuMicros(server.pid) - before) / requests.total,
  };
}

/** A GET for a compressed response, as browsers send it. */
export function get(path: string): Request {
  return { method: 'GET', path, headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } };
}

export function put(path: string, token: string, value: unknown): Request {
  return {
    method: 'PUT',
    path,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(value),
  };
}
