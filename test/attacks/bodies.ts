import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { type Attack, countStatuses, openUnread, read, type Target } from './target.ts';

/** Sends 10 MB of JSON twenty times at once. */
export const longJson: Attack = async (target) =>
  countStatuses(await Promise.all(Array.from({ length: 20 }, () => sendLong(target))));

async function sendLong({ client, person }: Target): Promise<{ status: number }> {
  const sent = request(new URL(apiRoutes.channels, client.url), {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${person.token}`,
      'content-type': 'application/json',
      'content-length': '10000000',
    },
  });
  sent.on('error', () => {}).end(Buffer.alloc(10_000_000, '['));
  try {
    const [response] = await once(sent, 'response');
    sent.destroy();
    return { status: response.statusCode };
  } catch {
    return { status: 0 };
  }
}

/** Sends 100 bodies of 20,000 fields at once. */
export const manyFields: Attack = async ({ client, person }) => {
  const fields = Array.from({ length: 20_000 }, (_, i) => [i.toString(36), 0]);
  const options = { token: person.token, body: JSON.stringify(Object.fromEntries(fields)) };
  const headers = { 'content-type': 'application/json' };
  const ask = () => read(client.call('PUT', apiRoutes.comment, { ...options, headers }));
  return countStatuses(await Promise.all(Array.from({ length: 100 }, ask)), 400);
};

/**
 * Sends most of 190 request bodies at once and the rest at one byte a second.
 * @throws when a connection stays open
 */
export const slowBodies: Attack = async (target) => {
  const text = [
    `POST ${apiRoutes.channels} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${target.person.token}`,
    'content-type: application/json',
    'content-length: 200000',
    '\r\n',
  ].join('\r\n');
  const sockets = await Promise.all(
    Array.from({ length: 190 }, () => openUnread(target, text + ' '.repeat(190_000))),
  );
  const closed = () => sockets.filter((socket) => socket.resume().destroyed).length;
  for (let second = 0; second < 25 && closed() < sockets.length; second++) {
    await delay(1000);
    for (const socket of sockets) if (!socket.destroyed) socket.write(' ');
  }
  if (closed() < sockets.length) throw new Error('slow bodies are not dropped');
  return `${closed()} were dropped`;
};

/** Guesses a password 200 times a second, 500 times. */
export const signIns: Attack = async ({ client, person }) => {
  const sent: ReturnType<typeof read>[] = [];
  for (let part = 0; part < 50; part++) {
    for (let i = 0; i < 10; i++) sent.push(read(client.signIn(person.email, 'no')));
    await delay(50);
  }
  return countStatuses(await Promise.all(sent), 401);
};
