import { setTimeout as delay } from 'node:timers/promises';

/** Only a failure takes this long; a machine may be busy with other work. */
const patienceMs = 180_000;

/** Asks again and again until the answer is yes. @throws when it is not after `withinMs` */
export async function eventually(
  what: string,
  ask: () => Promise<boolean>,
  withinMs = patienceMs,
): Promise<void> {
  const endMs = Date.now() + withinMs;
  // Most answers change within a few ms.
  for (let pauseMs = 5; !(await ask()); pauseMs = Math.min(2 * pauseMs, 50)) {
    if (Date.now() > endMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(pauseMs);
  }
}
