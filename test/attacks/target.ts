import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ForumClient, Person } from '../forum/forum-client.ts';

/** A started server, and what is known of it. */
export interface Target {
  client: ForumClient;
  person: Person;
  /** Where its SQLite file is, to fill it faster than by requests. */
  databaseFile: string;
}

/** What one client sends in one go. @returns how it was answered, once the server has dealt with it */
export type Attack = (target: Target) => Promise<string>;

/** A connection that has sent this and reads nothing. */
export async function unread({ client }: Target, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(client.url).port), '127.0.0.1').pause();
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

export const get = (url: string, ...headers: string[]) =>
  [`GET ${url} HTTP/1.1`, 'host: localhost', ...headers, '\r\n'].join('\r\n');

interface Outcome {
  /** 0 where the server hung up. */
  status: number;
  bytes: number;
}

export async function read(answer: Promise<Response>): Promise<Outcome> {
  try {
    const response = await answer;
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    return { status: response.status, bytes };
  } catch {
    return { status: 0, bytes: 0 };
  }
}

/** As a figure: how many were answered with which status. */
export function told(outcomes: Pick<Outcome, 'status'>[]): string {
  const counts = new Map<number, number>();
  for (const { status } of outcomes) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}
