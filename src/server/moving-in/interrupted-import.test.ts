import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { changeValues } from '../../../test/change-values.ts';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../test/forum/change-settings.ts';
import { staff } from '../../../test/forum/moderators.ts';
import { ApiError } from '../http/api-error.ts';
import { DiskFull } from '../images/uploads/upload-errors.ts';
import { reserve } from '../system/disk-reserve.ts';
import { type ImportRequest, importChat } from './import-chat.ts';
import { cancelImports, listImports } from './list-imports.ts';

const count = 450;
const real = { ...reserve };
changeValues(reserve, real);

onBothEngines('an interrupted import', (forum) => {
  let requests = 0;
  const opening: Promise<unknown>[] = [];
  /** A chat of `count` messages in two minutes, for a channel of its own. */
  async function newRequest(): Promise<ImportRequest> {
    const { id: adminId } = await staff(forum(), 'admin');
    await changeSettings(forum(), { readers: 'members', contact: 'Marga' });
    const lines = Array.from({ length: count }, (_, index) => {
      return `15/3/22, 9:0${index < 300 ? 5 : 6} - ${index % 2 ? 'Ana' : 'Luz'}: ${index}`;
    });
    const channel = `Canal ${++requests}`;
    const file = path.join(forum().services.config.dataDir, `${requests}.txt`);
    await writeFile(file, lines.join('\n'));
    const people = ['Ana', 'Luz'].map((source) => ({ source, name: source }));
    const dates = 'day-month' as const;
    return { file, adminId, plan: { channel, zone: 'UTC', dates, firstDay: '2022-03-15', people } };
  }
  const stateOf = async ({ plan }: ImportRequest) =>
    (await listImports(forum().services.db, Date.now())).find(({ name }) => name === plan.channel);
  async function expectWhole(request: ImportRequest) {
    const result = await importChat(forum().services, request);
    assert.deepEqual([result.isDone, result.done], [true, count]);
    const { db } = forum().services;
    const comments = await db
      .selectFrom('comments')
      .select(['number', 'text'])
      .where('channel_id', '=', result.channelId)
      .orderBy('number')
      .execute();
    assert.deepEqual(
      comments.map(({ number, text }) => [number, String(text)]),
      Array.from({ length: count }, (_, index) => [index + 1, String(index)]),
    );
    const channel = await db
      .selectFrom('channels')
      .select(['comment_count', 'last_comment_number', 'told_number'])
      .where('id', '=', result.channelId)
      .executeTakeFirst();
    assert.deepEqual(Object.values(channel ?? {}), [count, count, count]);
  }

  test('goes on where it was', async () => {
    const request = await newRequest();
    const stopping = new AbortController();
    const stop = { signal: stopping.signal, onProgress: () => stopping.abort() };
    const stopped = await importChat(forum().services, { ...request, ...stop });
    assert.deepEqual([stopped.isDone, stopped.done], [false, 200]);
    assert.equal((await stateOf(request))?.state, 'running');
    await expectWhole(request);
    assert.equal((await stateOf(request))?.state, 'done');
  });

  test('refuses another one meanwhile, and stops when it is cancelled', async () => {
    const request = await newRequest();
    const { db, now } = forum().services;
    const others: Promise<unknown>[] = [];
    const cancelled = await importChat(forum().services, {
      ...request,
      onProgress: ({ done }) => {
        if (done !== 200) return;
        others.push(
          importChat(forum().services, request).catch((error: unknown) => error),
          cancelImports(db, now()),
        );
      },
    });
    assert.deepEqual([cancelled.isDone, cancelled.done < count], [false, true]);
    const [other] = await Promise.all(others);
    assert.equal(other instanceof ApiError && other.code, 'import_running');
    assert.equal((await stateOf(request))?.state, 'cancelled');
    await expectWhole(request);
  });

  test('stops when guests can read, and asks before they can', async () => {
    const request = await newRequest();
    const { db } = forum().services;
    const opened = await importChat(forum().services, {
      ...request,
      onProgress: async ({ done }) => {
        if (done === 0)
          opening.push(changeSettings(forum(), { readers: 'everyone' }).catch(String));
        if (done === 200) await db.deleteFrom('site_settings').execute();
      },
    });
    assert.ok(!opened.isDone && opened.done < count);
    assert.match(String(await opening[0]), /imported_words_visible/);
    await changeSettings(forum(), { readers: 'members', contact: 'Marga' });
    await expectWhole(request);
  });

  test('stops before it uses up the disk, and goes on once there is room', async () => {
    const request = await newRequest();
    const fill = () => Object.assign(reserve, { bytes: Number.POSITIVE_INFINITY, share: 1 });
    await assert.rejects(importChat(forum().services, { ...request, onProgress: fill }), DiskFull);
    assert.equal((await stateOf(request))?.state, 'full');
    Object.assign(reserve, real);
    await expectWhole(request);
  });
});
