import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Decision, NewAccountList, Queue, QueueItem } from '../../src/shared/moderation.ts';
import { createPostgresDatabase } from '../forum/forum.ts';
import type { Person } from '../forum/forum-client.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import {
  addresses,
  Caller,
  giveRole,
  isSeen,
  mark,
  raiders,
  raidImage,
  raidMs,
  signUp,
} from './raid-scene.ts';

/**
 * Measures the same raid while first posts wait for review: how much of it a guest sees, how long honest newcomers
 * wait, and how many actions approve one of them and reject the rest.
 */
async function rehearsePending(t: TestContext, env: Record<string, string>): Promise<void> {
  await using server = await ServerProcess.start({ PORT: '0', TRUST_PROXY: '1', ...env });
  const forum = new Caller(server.url, '10.1.0.1');
  const moderator = await forum.person('Moderadora');
  await giveRole(env, moderator.email, 'admin');
  const member = await forum.person('Miembro');
  const { _id } = await forum.channel(member);
  const { token } = moderator;
  await forum.json('PATCH', apiRoutes.siteSettings, {
    token,
    headers: { 'if-match': '"0"' },
    body: { reviewsFirstPosts: true },
  });
  await delay(1000);
  const from = new Date().toISOString();
  let looks = 0;
  let seen = 0;
  const stop = new AbortController();
  const looking = (async () => {
    while (!stop.signal.aborted) {
      looks++;
      if (await isSeen(forum, [_id], [])) seen++;
      await delay(200);
    }
  })();
  const image = await raidImage();
  const send = (caller: Caller, { token }: Person, comment: string, images?: object[]) =>
    caller.call('PUT', apiRoutes.comment, {
      token,
      body: { id: _id, comment, ...(images && { images }) },
    });
  const pictures: string[] = [];
  const newcomers: { person: Person; sentMs: number }[] = [];
  await Promise.all(
    Array.from({ length: raiders }, async (_, index) => {
      const caller = new Caller(server.url, `10.0.0.${index % addresses}`);
      await delay((index * raidMs) / (2 * raiders));
      const isHonest = index % 40 === 0;
      const person = await signUp(caller, isHonest ? `Vecina ${index}` : `Raider ${index}`);
      const images: object[] = [];
      if (index % 20 === 1) {
        const answer = await caller.upload(person, image, { use: 'comment' });
        const { downloadURL } = (await answer.json()) as { downloadURL: string };
        // Removes the signature, with which the owner can see the image.
        const [url = ''] = downloadURL.split('?');
        pictures.push(url);
        images.push({ url: downloadURL, alt: '' });
      }
      const text = isHonest ? 'Hola, llego hoy' : `${mark}: https://ejemplo.es/${randomUUID()}`;
      assert.equal((await send(caller, person, text, images)).status, 202);
      if (isHonest) newcomers.push({ person, sentMs: performance.now() });
    }),
  );
  for (const url of pictures) {
    const { status, body } = await forum.call('GET', url);
    await body?.cancel();
    if (status === 200) seen++;
  }
  const pending = async () => {
    const items: QueueItem[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const url: string = `${apiRoutes.queue}?state=pending${after && `&after=${after}`}`;
      const page: Queue = await forum.json<Queue>('GET', url, { token });
      items.push(...page.data);
      after = page.next;
    }
    return items;
  };
  const posts = await pending();
  assert.equal(posts.length, raiders);
  let actions = 0;
  const decide = (body: object) => {
    actions++;
    return forum.json<Decision>('POST', apiRoutes.decisions, { token, body });
  };
  const honest = posts.filter(({ author }) =>
    newcomers.some(({ person }) => person.id === author.id),
  );
  const waits: number[] = [];
  for (const { subject, version, author } of honest) {
    await decide({ subject, version, action: 'approve' });
    const sentMs = newcomers.find(({ person }) => person.id === author.id)?.sentMs ?? 0;
    waits.push(performance.now() - sentMs);
  }
  const approving = actions;
  const to = new Date().toISOString();
  const { data: newAccounts } = await forum.json<NewAccountList>(
    'GET',
    `${apiRoutes.newAccounts}?from=${from}&to=${to}`,
    { token },
  );
  await decide({
    subject: {
      kind: 'users',
      ids: newAccounts.filter(({ isApproved }) => !isApproved).map(({ id }) => id),
    },
    action: 'hideAll',
    category: 'spam',
    reason: 'Publicidad en masa.',
  });
  assert.deepEqual(await pending(), []);
  stop.abort();
  await looking;
  const shown = await forum.allComments(_id);
  assert.equal(shown.length, honest.length);
  assert.equal(seen, 0);
  t.diagnostic(
    `${posts.length} posts; a guest looked ${looks} times and saw ${seen}; ${honest.length} honest first posts waited ${Math.round(Math.min(...waits) / 1000)} to ${Math.round(Math.max(...waits) / 1000)} s, most of it for the raid to end`,
  );
  t.diagnostic(`${approving} actions approved them, ${actions - approving} refused the rest`);
  assert.equal((await server.stop()).code, 0);
}

test('while first posts are reviewed, a guest sees nothing of a raid (SQLite)', async (t) => {
  await using folder = await temporaryFolder('raid');
  await rehearsePending(t, { DATA_DIR: folder.path });
});

test('while first posts are reviewed, a guest sees nothing of a raid (PostgreSQL)', async (t) => {
  const database = await createPostgresDatabase();
  await using folder = await temporaryFolder('raid');
  await rehearsePending(t, { DATA_DIR: folder.path, DATABASE_URL: database.url });
  await database.drop();
});
