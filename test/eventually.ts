import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until the answer is yes. @throws when it is not after `withinMs` */
export async function eventually(
  what: string,
  ask: () => Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const endMs = Date.now() + withinMs;
  while (!(await ask())) {
    if (Date.now() > endMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(50);
  }
}
