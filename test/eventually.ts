import { setTimeout as delay } from 'node:timers/promises';

/** Long, because the machine may be busy with other work. Only a failure takes this long. */
const patienceMs = 180_000;

/** Polls until the answer is true. @throws when it is not true within `withinMs` */
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
