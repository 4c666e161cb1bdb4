import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { readNewestTexts } from './newest-texts.ts';

onBothEngines('the newest texts of accounts', (forum) => {
  test('are read without the other posts of an account of which many were rejected', async () => {
    const { db } = forum().services;
    const [ana, berta] = [await forum().person(), await forum().person()];
    const rowsOf = (accountId: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: uuidv7(),
        account_id: accountId,
        kind: 'channel' as const,
        content: JSON.stringify({
          name: `Canal ${index}`,
          description: '',
          cover: '',
          cover_alt: '',
        }),
        reason: 'first_post' as const,
        created_at_ms: index,
        expires_at_ms: 9e15,
        rejected_by: uuidv7(),
      }));
    await db
      .insertInto('pending_posts')
      .values([...rowsOf(ana.id, 50), ...rowsOf(berta.id, 1)])
      .execute();
    const read: number[] = [];
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        read.push(result.rows.length);
        return result;
      },
    });
    const texts = await readNewestTexts(counting, [ana.id, berta.id], 2);
    assert.deepEqual(Object.fromEntries(texts), {
      [ana.id]: ['Canal 49\n\n', 'Canal 48\n\n'],
      [berta.id]: ['Canal 0\n\n'],
    });
    assert.equal(Math.max(...read), 3);
  });
});
