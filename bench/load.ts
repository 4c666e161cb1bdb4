import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { cpuMicros } from './process-figures.ts';
import type { Served } from './server.ts';

/** What the load process is asked for. */
export interface LoadJob {
  port: number;
  /** Kept alive; each sends its next request when it has its answer. */
  connections: number;
  seconds: number;
  /** Whole requests as they travel; connection after connection takes the next of them. */
  requests: string[];
  /** As many requests a second are begun, if it keeps up; undefined means as many as it can. */
  perSecond?: number;
}

export interface LoadFigures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

export interface Measured extends LoadFigures {
  /** Processor time of the server for each answer, in microseconds. */
  cpuMicros: number;
}

/** Puts load on a server from a process of its own. @throws when any answer is not 2xx. */
export async function load(server: Served, job: Omit<LoadJob, 'port'>): Promise<Measured> {
  const before = cpuMicros(server.pid);
  const child = fork(path.join(import.meta.dirname, 'load-process.ts'));
  child.send({ ...job, port: server.port } satisfies LoadJob);
  const [figures] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the load process ended early'))),
  ])) as [LoadFigures];
  const spent = cpuMicros(server.pid) - before;
  return { ...figures, cpuMicros: spent / (figures.perSecond * job.seconds) };
}

/** @param acceptEncoding as the caller sends it; undefined leaves the answer uncompressed */
export function get(address: string, acceptEncoding?: string): string {
  const encoding = acceptEncoding ? `accept-encoding: ${acceptEncoding}\r\n` : '';
  return `GET ${address} HTTP/1.1\r\nhost: localhost\r\n${encoding}\r\n`;
}

export function put(address: string, token: string, value: unknown): string {
  const body = JSON.stringify(value);
  return (
    `PUT ${address} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n` +
    `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}
