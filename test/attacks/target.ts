import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ForumClient, Person } from '../forum/forum-client.ts';

export interface Target {
  client: ForumClient;
  person: Person;
  /** SQLite file of the server, which attacks fill directly because requests take longer. */
  databaseFile: string;
}

/** Sends the requests of one hostile client. @returns a summary of the responses, once all have arrived */
export type Attack = (target: Target) => Promise<string>;

export async function openUnread({ client }: Target, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(client.url).port), '127.0.0.1').pause();
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

export const get = (url: string, ...headers: string[]) =>
  [`GET ${url} HTTP/1.1`, 'host: localhost', ...headers, '\r\n'].join('\r\n');

interface Outcome {
  /** 0 when the server closed the connection. */
  status: number;
  bytes: number;
}

export async function read(pending: Promise<Response>): Promise<Outcome> {
  try {
    const response = await pending;
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    return { status: response.status, bytes };
  } catch {
    return { status: 0, bytes: 0 };
  }
}

/**
 * Counts responses by status: `3 × 200, 1 × 503`.
 * @param expected status of at least one response if the attack took place
 * @throws when no response has it, or one says that the server failed
 */
export function countStatuses(outcomes: Pick<Outcome, 'status'>[], expected?: number): string {
  const counts = new Map<number, number>();
  for (const { status } of outcomes) counts.set(status, (counts.get(status) ?? 0) + 1);
  const summary = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
  assert.ok(expected === undefined || counts.has(expected), `no ${expected}: ${summary}`);
  assert.ok(
    outcomes.every(({ status }) => status < 500 || status === 503),
    summary,
  );
  return summary;
}
