import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { findText } from '../../../../test/forum/find-text.ts';
import { expectProblem, type Forum, type Person } from '../../../../test/forum/forum.ts';
import { expectIndexed } from '../../../../test/forum/index-contents.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { decide, staff, undone } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Decision } from '../../../shared/moderation.ts';
import type { Actor } from '../../accounts/actor.ts';
import { readAudit } from '../../database/audit-log.ts';
import type { Database } from '../../database/tables.ts';
import { publishing, singleTransactions } from '../../database/transactions.ts';
import { eraseExpired } from '../../operation/housekeeping/erase-expired.ts';
import type { Content } from '../decisions/locked-content.ts';
import { eraseContent, markForErasure } from './erase-content.ts';

/** The operator, with the services of this server. */
const actorOf = ({ services }: Forum): Actor => ({ ...services, actorName: 'eva', note: 'spam' });

const idOf = (content: Content): string =>
  content.kind === 'channel' ? content.channelId : commentId(content.channelId, content.number);

const contentOf = (kind: Content['kind'], channelId: string): Content =>
  kind === 'channel' ? { kind, channelId } : { kind, channelId, number: 1 };

/** The same, in a process that is killed before a query. */
function killedAfter(forum: Forum, queries: number): Actor {
  let left = queries;
  const db = forum.services.db.withPlugin({
    transformQuery: ({ node }) => {
      if (left-- <= 0) throw new Error('killed');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const withTransaction = publishing(singleTransactions(db), forum.services.live);
  return { ...actorOf(forum), db, withTransaction };
}

/** The same, with a callback after each of its transactions. */
function interruptedBy(forum: Forum, happens: () => Promise<void>): Actor {
  const actor = actorOf(forum);
  const execute = async <T>(work: (trx: Database) => Promise<T>) => {
    const result = await actor.db.transaction().execute(work);
    await happens();
    return result;
  };
  const db = new Proxy(actor.db, {
    get(target, name) {
      if (name === 'transaction') return () => ({ execute });
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    ...actor,
    db,
    withTransaction: publishing((_row, work) => execute(work), forum.services.live),
  };
}

onEngine('sqlite', 'an erasure by the operator', (forum) => {
  /** Creates a channel with an edited comment that has thanks and a reply. @returns its id */
  async function fill(author: Person, reader: Person, text: string): Promise<string> {
    const { _id: id } = await forum().channel(author);
    await forum().comment(author, id, text);
    const reply = { id, comment: 'sí', replyTo: 1 };
    await forum().json('PUT', apiRoutes.comment, { token: reader.token, body: reply });
    await forum().json('PUT', apiRoutes.thanks(id, 1), { token: reader.token });
    await forum().edit(author, id, 1, `${text} y más`);
    const position = { channelId: id, number: 2 };
    await forum().json('PUT', apiRoutes.reads, { token: reader.token, body: position });
    return id;
  }

  for (const kind of ['channel', 'comment'] as const) {
    test(`an erasure of a ${kind} is finished by housekeeping, wherever it was interrupted`, async () => {
      const [author, reader] = [await forum().person(), await forum().person()];
      let isDone = false;
      let isBegun = false;
      for (let queries = 0; !isDone; queries++) {
        const text = `secreto-${kind}-${queries}`;
        const channelId = await fill(author, reader, text);
        const content = contentOf(kind, channelId);
        try {
          await eraseContent(killedAfter(forum(), queries), content);
          isDone = true;
        } catch (error) {
          assert.match(String(error), /killed/);
        }
        const { db } = forum().services;
        isBegun = (await readAudit(db, 1))[0]?.subject.startsWith(channelId) ?? false;
        const shown = await (await forum().call('GET', apiRoutes.channel(channelId))).text();
        assert.equal(shown.includes(text), !isBegun);
        await eraseExpired(forum().services);
        const found = await findText(forum(), kind === 'channel' ? channelId : text);
        const kept = found.filter((line) => !line.startsWith('audit_log'));
        assert.equal(kept.length === 0, isBegun, `${queries} queries: ${kept}`);
      }
      assert.ok(isBegun);
    });
  }

  test('an erasure that has begun cannot be undone, and can be repeated', async () => {
    const [author, moderator] = [await forum().person(), await staff(forum())];
    const { token } = author;
    const actor = actorOf(forum());
    const hide = async (content: Content) => {
      const subject = { kind: content.kind, id: idOf(content) };
      return decide(forum(), moderator, { subject, action: 'hide' });
    };
    for (const kind of ['comment', 'channel'] as const) {
      const { _id: channelId } = await forum().channel(author);
      for (const text of ['se ve', 'se oculta', 'se elimina'])
        await forum().comment(author, channelId, text);
      const hidden = (await (
        await hide({ kind: 'comment', channelId, number: 2 })
      ).json()) as Decision;
      await forum().json('DELETE', apiRoutes.channelComment(channelId, 3), { token });
      const content = contentOf(kind, channelId);
      for (let times = 0; times < 2; times++) await markForErasure(actor, content);
      const entries = (await readAudit(forum().services.db, 100)).filter(
        ({ action, subject }) => action === `erase-${kind}` && subject === idOf(content),
      );
      assert.equal(entries.length, 1);
      await undone(forum(), moderator, hidden);
      await expectProblem(await hide(content), 404, `${kind}_not_found`);
      const url =
        kind === 'channel'
          ? apiRoutes.restoreChannel(channelId)
          : apiRoutes.restoreComment(channelId, 1);
      const restored = await forum().call('POST', url, { token });
      await expectProblem(restored, 409, 'not_restorable');
      if (kind === 'channel') {
        for (const number of [1, 2, 3]) {
          const comment = { kind: 'comment', channelId, number } as const;
          await expectProblem(await hide(comment), 404, 'comment_not_found');
          await assert.rejects(eraseContent(actor, comment), { code: 'channel_not_found' });
        }
        for (const [method, url] of [
          ['DELETE', apiRoutes.channelComment(channelId, 1)],
          ['POST', apiRoutes.restoreComment(channelId, 3)],
        ] as const)
          await expectProblem(await forum().call(method, url, { token }), 404, 'channel_not_found');
      }
      await eraseContent(actor, content);
      await assert.rejects(eraseContent(actor, content), { code: `${kind}_not_found` });
    }
  });

  test('erasing the newest comment leaves its number unused, and live readers get the next one', async () => {
    const author = await forum().person();
    const { _id: channelId } = await forum().channel(author);
    for (const text of ['uno', 'dos']) await forum().comment(author, channelId, text);
    const reader = await LiveReader.open(forum(), channelId);
    await eraseContent(actorOf(forum()), { kind: 'comment', channelId, number: 2 });
    const next = await forum().comment(author, channelId, 'tres');
    assert.equal(next.number, 3);
    assert.deepEqual(await reader.nextComment(), next);
    reader.close();
  });

  test('leaves nothing, even in the search index, when other requests run between its transactions', async () => {
    const [author, reader] = [await forum().person(), await forum().person()];
    for (const kind of ['comment', 'channel'] as const) {
      const channelId = await fill(author, reader, `doble-${kind}`);
      const content = contentOf(kind, channelId);
      let others = 0;
      const beginOther = async () => {
        others++;
        await markForErasure(actorOf(forum()), content).catch(({ code }) => {
          assert.equal(code, `${kind}_not_found`);
        });
      };
      await eraseContent(interruptedBy(forum(), beginOther), content);
      assert.ok(others > 1);
      const found = await findText(forum(), kind === 'channel' ? channelId : `doble-${kind}`);
      const kept = found.filter((line) => !line.startsWith('audit_log'));
      assert.deepEqual(kept, []);
      await expectIndexed(forum().services.db);
    }
  });
});
