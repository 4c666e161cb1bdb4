import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { engines } from '../../../../test/forum/forum.ts';
import { openEmptyDatabase } from '../../../../test/forum/open-empty-database.ts';
import { migrate } from './migrate.ts';

for (const engine of engines) {
  test(`008 drops the excerpts of replies, published or pending, and nothing else (${engine})`, async (t) => {
    const db = await openEmptyDatabase(t, engine);
    const rowsOf = async (query: string) =>
      (await sql.raw(query).execute(db)).rows.map((row) => Object.values(row as object));
    await migrate(db, { upTo: '006-following' });
    const reply = { replyTo: 1, excerpt: 'secreto' };
    const post = (text: string) => ({ channelId: 'c', text, images: [] });
    const pending = [
      ['p1', 'comment', 1, { ...post('\u0002eva\u0003, "sí"'), reply }],
      ['p2', 'comment', null, post('No')],
      ['p3', 'channel', null, { name: 'Cine', description: '', cover: '', cover_alt: '' }],
    ] as const;
    for (const statement of [
      `insert into accounts (id, name, email, email_key, password_hash, created_at_ms)
        values ('eva', 'Eva', '', 'eva', '', 1)`,
      `insert into channels (id, account_id, name, description, cover, cover_alt, comment_count,
        last_comment_number, created_at_ms) values ('c', 'eva', 'Cine', '', '', '', 2, 3, 1)`,
      `insert into comments (channel_id, number, account_id, text, created_at_ms, reply_to,
          reply_excerpt, deleted_at_ms)
        values ('c', 1, 'eva', 'Un secreto', 1, null, null, null), ('c', 2, 'eva', 'Sí', 2, 1, 'secreto', null),
          ('c', 3, 'eva', 'No', 3, 1, 'secreto', 4)`,
      ...pending.map(
        ([id, kind, replyTo, content]) =>
          `insert into pending_posts (id, account_id, kind, channel_id, reply_to, content, reason,
            created_at_ms, expires_at_ms)
          values ('${id}', 'eva', '${kind}', ${kind === 'comment' ? "'c'" : 'null'}, ${replyTo},
            '${JSON.stringify(content)}', 'first_post', 1, 2)`,
      ),
    ])
      await sql.raw(statement).execute(db);
    await migrate(db, { upTo: '008-reply-excerpts' });

    for (const table of ['comments', 'visible_comments', 'pending_posts'])
      assert.ok(!JSON.stringify(await rowsOf(`select * from ${table}`)).includes('"secreto"'));
    assert.deepEqual(
      await rowsOf('select number, text, reply_to from visible_comments order by number'),
      [
        [1, 'Un secreto', null],
        [2, 'Sí', 1],
      ],
    );
    assert.deepEqual(await rowsOf('select count(*) as number from comments where reply_to = 1'), [
      [2],
    ]);
    const contents = await rowsOf('select content from pending_posts order by id');
    assert.deepEqual(
      contents.map(([content]) => JSON.parse(String(content)) as unknown),
      [
        { ...post('\u0002eva\u0003, "sí"'), replyTo: 1 },
        { ...post('No'), replyTo: null },
        pending[2][3],
      ],
    );
    for (const [table, column] of [
      ['comments', 'reply_excerpt'],
      ['pending_posts', 'reply_to'],
    ] as const)
      await assert.rejects(rowsOf(`select ${column} from ${table}`), RegExp(column));
    if (engine === 'sqlite')
      await assert.rejects(rowsOf('update pending_posts set expires_at_ms = 1.5'), /whole_numbers/);
  });
}
