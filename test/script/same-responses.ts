import assert from 'node:assert/strict';
import { playScript } from './play-script.ts';
import { firstDifference } from './transcript.ts';

/** Runs the script of this seed on both engines; fails at the first response that differs. */
export async function assertSameResponses(seed: number): Promise<void> {
  const [sqlite, postgres] = await Promise.all([
    playScript('sqlite', seed),
    playScript('postgres', seed),
  ]);
  await Promise.all([sqlite.forum.stop(), postgres.forum.stop()]);
  assert.equal(
    firstDifference(
      { name: 'SQLite', entries: sqlite.entries },
      { name: 'PostgreSQL', entries: postgres.entries },
    ),
    undefined,
  );
}
