import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Decision, Queue, QueueItem } from '../../src/shared/moderation.ts';
import { createPostgresDatabase } from '../forum/forum.ts';
import type { Person } from '../forum/forum-client.ts';
import { ServerProcess } from '../processes/server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import {
  addresses,
  Caller,
  giveRole,
  isSeen,
  raiders,
  raidImage,
  raidMs,
  raidText,
  signUp,
  unapprovedSince,
  uploadImage,
} from './raid-scene.ts';

/** One of this many accounts is an honest newcomer. */
const honestEvery = 40;

/** Looks as a guest until the signal. @returns how often, and how often the guest saw content of the raid */
async function look(forum: Caller, channelId: string, stop: AbortSignal) {
  let looks = 0;
  let seen = 0;
  while (!stop.aborted) {
    looks++;
    if (await isSeen(forum, [channelId], [])) seen++;
    await delay(200);
  }
  return { looks, seen };
}

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
  const raidAndReview = async () => {
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
        const isHonest = index % honestEvery === 0;
        const person = await signUp(caller, isHonest ? `Vecina ${index}` : `Raider ${index}`);
        const images: object[] = [];
        if (index % 20 === 1) {
          const signed = await uploadImage(caller, person, image);
          // Removes the signature, with which the owner can see the image.
          const [url = ''] = signed.split('?');
          pictures.push(url);
          images.push({ url: signed, alt: '' });
        }
        const text = isHonest ? 'Hola, llego hoy' : raidText();
        assert.equal((await send(caller, person, text, images)).status, 202);
        if (isHonest) newcomers.push({ person, sentMs: performance.now() });
      }),
    );
    assert.ok(!(await isSeen(forum, [_id], pictures)));
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
    assert.equal(honest.length, raiders / honestEvery);
    const waits: number[] = [];
    for (const { subject, version, author } of honest) {
      await decide({ subject, version, action: 'approve' });
      const sentMs = newcomers.find(({ person }) => person.id === author.id)?.sentMs ?? 0;
      waits.push(performance.now() - sentMs);
    }
    const approving = actions;
    await decide({
      subject: { kind: 'users', ids: await unapprovedSince(forum, { token }, from) },
      action: 'hideAll',
      category: 'spam',
      reason: 'Publicidad en masa.',
    });
    assert.deepEqual(await pending(), []);
    return { posts, waits, approving, actions };
  };
  const stop = new AbortController();
  const reviewing = raidAndReview().finally(() => stop.abort());
  const [{ posts, waits, approving, actions }, { looks, seen }] = await Promise.all([
    reviewing,
    look(forum, _id, stop.signal),
  ]);
  const shown = await forum.allComments(_id);
  assert.equal(shown.length, waits.length);
  assert.equal(seen, 0);
  t.diagnostic(
    `${posts.length} posts; a guest looked ${looks} times and saw ${seen}; ${waits.length} honest first posts waited ${Math.round(Math.min(...waits) / 1000)} to ${Math.round(Math.max(...waits) / 1000)} s, most of it for the raid to end`,
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
