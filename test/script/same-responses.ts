import assert from 'node:assert/strict';
import { playScript } from './play-script.ts';
import { firstDifference } from './transcript.ts';

/** Runs the script of this seed on both engines; fails at the first response that differs. */
export async function assertSameResponses(seed: number): Promise<void> {
  const playing = [playScript('sqlite', seed), playScript('postgres', seed)] as const;
  // A script that fails stops its own forum. This stops the other engine's forum in any case.
  for (const played of await Promise.allSettled(playing)) {
    if (played.status === 'fulfilled') await played.value.forum.stop();
  }
  const [sqlite, postgres] = await Promise.all(playing);
  assert.equal(
    firstDifference(
      { name: 'SQLite', entries: sqlite.entries },
      { name: 'PostgreSQL', entries: postgres.entries },
    ),
    undefined,
  );
}
