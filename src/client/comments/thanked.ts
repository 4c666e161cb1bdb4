import { limits } from '../../shared/limits.ts';
import { request } from '../api/request.ts';
import { listThanked } from './comment-calls.ts';

/**
 * Which comments the signed-in account gave thanks for. Asked of the server in ranges, as comments are
 * shown: public pages are the same for everyone and cannot say it.
 */
const thanked = new Map<string, boolean>();
const listeners = new Set<() => void>();
/** Numbers that are shown and not asked about yet, by account and channel. */
const waiting = new Map<string, Set<number>>();

const keyOf = (userId: string, channelId: string, number: number) =>
  `${userId} ${channelId} ${number}`;

export function onThankedChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function setThanked(userId: string, channelId: string, number: number, mine: boolean) {
  thanked.set(keyOf(userId, channelId, number), mine);
  for (const listener of listeners) listener();
}

/** Whether the account gave thanks; false while that is not known. */
export function isThanked(userId: string, channelId: string, number: number): boolean {
  return thanked.get(keyOf(userId, channelId, number)) ?? false;
}

/** Asks about a comment, together with the others that are rendered at the same time. */
export function askThanked(userId: string, channelId: string, number: number): void {
  if (thanked.has(keyOf(userId, channelId, number))) return;
  const group = `${userId} ${channelId}`;
  const numbers = waiting.get(group);
  if (numbers) {
    numbers.add(number);
    return;
  }
  const asked = new Set([number]);
  waiting.set(group, asked);
  queueMicrotask(async () => {
    waiting.delete(group);
    const sorted = [...asked].sort((a, b) => a - b);
    for (let first = 0; first < sorted.length; first += limits.listItems) {
      await askRange(userId, channelId, sorted.slice(first, first + limits.listItems));
    }
  });
}

async function askRange(userId: string, channelId: string, numbers: number[]): Promise<void> {
  const [from = 0] = numbers;
  const range = { channelId, from, to: numbers.at(-1) ?? from };
  const result = await request(listThanked, range, { isBackground: true });
  if (!result.ok) return;
  const mine = new Set(result.value.data);
  for (const number of numbers) {
    const key = keyOf(userId, channelId, number);
    if (!thanked.has(key)) thanked.set(key, mine.has(number));
  }
  for (const listener of listeners) listener();
}
