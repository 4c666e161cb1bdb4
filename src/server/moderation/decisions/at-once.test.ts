import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { expectConsistent } from '../../../../test/forum/expect-consistent.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { expectIndexed } from '../../../../test/forum/index-contents.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import {
  comment,
  decide,
  decided,
  openAppeal,
  openCase,
  staff,
  undo,
  undone,
  user,
} from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Decision } from '../../../shared/moderation.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';
import { eraseContent } from './erase-content.ts';

const dayMs = 86_400_000;

onBothEngines('a decision at the same moment as', (forum, wait) => {
  /** Creates a channel by another person with comments by the author. */
  async function written(author: Person, count: number): Promise<string> {
    const { _id } = await forum().channel(await forum().person());
    for (let i = 1; i <= count; i++) await forum().comment(author, _id, `uno ${i}`);
    return _id;
  }
  const noServerError = (responses: Response[]) =>
    assert.deepEqual(
      responses.filter(({ status }) => status >= 500).map(({ status }) => status),
      [],
    );
  const operator = () => ({ ...forum().services, actorName: 'ada', note: '' });

  test('edits, deletions, restorations and thanks of the same comment', async () => {
    const [eva, author, reader] = [
      await staff(forum()),
      await forum().person(),
      await forum().person(),
    ];
    const { token } = author;
    for (let round = 0; round < 6; round++) {
      const id = await written(author, 2);
      const url = apiRoutes.channelComment(id, 1);
      const edit = () =>
        forum().call('PATCH', url, {
          ...{ token, headers: { 'if-match': '"1"' }, body: { comment: 'dos' } },
        });
      const calls = [
        () => decide(forum(), eva, { subject: comment(id, 1), action: 'hide' }),
        () => forum().call('DELETE', url, { token }),
        () => forum().call('POST', apiRoutes.restoreComment(id, 1), { token }),
        edit,
        () => forum().call('PUT', apiRoutes.thanks(id, 1), reader),
        () =>
          forum()
            .comment(reader, id, 'Sí', { replyTo: 1 })
            .then(() => new Response()),
      ];
      const order = calls.map((_, i) => calls[(i + round) % calls.length] ?? edit);
      noServerError(await Promise.all(order.map((call) => call())));
      assert.ok((await forum().allComments(id)).every(({ number }) => number !== 1));
      await expectConsistent(forum().services.db);
    }
    await expectIndexed(forum().services.db);
  });

  test('writing, deleting and erasing by the account that it hides, and the undo', async () => {
    const eva = await staff(forum());
    for (let round = 0; round < 4; round++) {
      const author = await forum().person();
      const id = await written(author, 4);
      const { _id: own } = await forum().channel(author);
      const { token } = author;
      const write = (text: string) =>
        forum().call('PUT', apiRoutes.comment, { token, body: { id, comment: text } });
      const hide = decide(forum(), eva, { subject: user(author), action: 'hideAll' });
      const erased = eraseContent(operator(), { kind: 'comment', channelId: id, number: 4 });
      const responses = await Promise.all([
        ...['a', 'b', 'c'].map(write),
        forum().call('DELETE', apiRoutes.channelComment(id, 1), { token }),
        forum().call('DELETE', apiRoutes.channel(own), { token }),
        decide(forum(), eva, { subject: comment(id, 2), action: 'hide' }),
        hide,
      ]);
      await erased;
      noServerError(responses);
      assert.deepEqual(await forum().allComments(id), []);
      await expectConsistent(forum().services.db);
      const { id: decisionId } = (await (responses.at(-1) as Response).json()) as Decision;
      noServerError(
        await Promise.all([
          undo(forum(), eva, decisionId),
          undo(forum(), eva, decisionId),
          forum().call('DELETE', apiRoutes.channelComment(id, 3), { token }),
          forum().call('POST', apiRoutes.restoreComment(id, 1), { token }),
          decide(forum(), eva, { subject: user(author), action: 'hideAll' }),
        ]),
      );
      await expectConsistent(forum().services.db);
    }
  });

  test('the erasure of the account that it hides, or shows again', async () => {
    const eva = await staff(forum());
    const everyOne: Promise<unknown>[] = [];
    for (const content of ['erase', 'anonymous'] as const) {
      const [hidden, shown] = [await forum().person(), await forum().person()];
      for (const author of [hidden, shown]) {
        await written(author, 25);
        await askForDeletion(forum(), author, content);
      }
      const earlier = await decided(forum(), eva, { subject: user(shown), action: 'hideAll' });
      everyOne.push(
        decide(forum(), eva, { subject: user(hidden), action: 'hideAll' }),
        undone(forum(), eva, earlier),
      );
    }
    wait(15 * dayMs);
    await Promise.all([...everyOne, eraseDueAccounts(forum().services)]);
    await eraseDueAccounts(forum().services);
    await expectConsistent(forum().services.db);
  });

  test('comments in the channel that it erases: none is left', async () => {
    const author = await forum().person();
    const id = await written(author, 4);
    const writing = Array.from({ length: 20 }, (_, i) =>
      forum().call('PUT', apiRoutes.comment, {
        ...{ token: author.token, body: { id, comment: `comentario ${i}` } },
      }),
    );
    await eraseContent(operator(), { kind: 'channel', channelId: id });
    for (const response of writing) assert.ok([200, 404].includes((await response).status));
    const { db } = forum().services;
    const left = db.selectFrom('comments').select('number').where('channel_id', '=', id);
    assert.deepEqual(await left.execute(), []);
    assert.equal((await forum().call('GET', apiRoutes.channel(id))).status, 404);
  });

  test('the other answer to the same appeal: the first one counts', async () => {
    const [eva, ana, author] = [await staff(forum()), await staff(forum()), await forum().person()];
    for (let round = 0; round < 6; round++) {
      const draft = { subject: user(author), action: 'silence', days: 1 };
      const { id } = await decided(forum(), await staff(forum()), draft);
      const subject = await openAppeal(forum(), id, author.id);
      const uphold = () => decide(forum(), eva, { subject, action: 'dismiss' });
      const grant = () => undo(forum(), ana, id, subject.id);
      const answers = await Promise.all(
        (round % 2 ? [uphold, grant] : [grant, uphold]).map((one) => one()),
      );
      const [made, refused] = answers.sort((one, other) => one.status - other.status) as [
        Response,
        Response,
      ];
      const { id: first } = (await made.json()) as Decision;
      assert.equal((await expectProblem(refused, 409, 'already_decided')).decision?.id, first);
    }
  });

  test('nine others about the same case: the first one counts', async () => {
    const author = await forum().person();
    const id = await written(author, 1);
    const subject = comment(id, 1);
    const version = `${await openCase(forum(), subject, author.id)}.1`;
    const ten = await Promise.all(Array.from({ length: 10 }, () => staff(forum())));
    const answers = await Promise.all(
      ten.map((eva, i) => {
        const action = ['hide', 'dismiss', 'suspend'][i % 3] ?? '';
        return decide(forum(), eva, { subject, version, action });
      }),
    );
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as {
      id: string;
      decision: { id: string };
    }[];
    const winners = bodies.filter((_, i) => answers[i]?.status === 201);
    assert.equal(winners.length, 1, JSON.stringify(bodies));
    const others = bodies.filter((_, i) => answers[i]?.status === 409);
    assert.deepEqual([...new Set(others.map(({ decision }) => decision.id))], [winners[0]?.id]);
    assert.equal(others.length, 9);
  });

  test('itself: one of ten undos succeeds', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 1);
    const hidden = await decided(forum(), eva, { subject: comment(id, 1), action: 'hide' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => undo(forum(), eva, hidden.id)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)]);
    await expectConsistent(forum().services.db);
  });
});

test('hundreds of mixed decisions of two processes among writers end without a 503 (postgres)', async () => {
  const first = await Forum.start('postgres');
  const second = await first.another();
  try {
    const moderators = [await staff(first), await staff(first), await staff(first)];
    const authors: Person[] = [];
    const channels: string[] = [];
    for (let i = 0; i < 12; i++) authors.push(await first.person(`Autora ${i}`));
    for (const author of authors.slice(0, 4)) channels.push((await first.channel(author))._id);
    for (const author of authors)
      for (const channelId of channels) await first.comment(author, channelId, 'uno');
    const pick = <T>(list: T[], at: number): T => list[at % list.length] as T;
    const statuses = new Map<number, number>();
    const count = async (response: Response) => {
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      return response;
    };
    /** Makes a decision, and undoes it or an earlier one. */
    const decideAndUndo = async (at: number) => {
      const forum = pick([first, second], at);
      const by = pick(moderators, at);
      const author = pick(authors, at * 7);
      const subject = pick(
        [
          user(author),
          comment(pick(channels, at), 1 + (at % 40)),
          { kind: 'users' as const, ids: [0, 3, 5].map((more) => pick(authors, at + more).id) },
          { kind: 'channel' as const, id: pick(channels, at) },
        ],
        at,
      );
      const action =
        subject.kind === 'users' ? 'hideAll' : pick(['hideAll', 'silence', 'suspend'], at * 3);
      const isContent = subject.kind === 'comment' || subject.kind === 'channel';
      const draft = {
        ...{ subject, action: isContent && at % 2 ? 'hide' : action, days: 1 },
        reason: `Motivo ${at}`,
      };
      const response = await count(await decide(forum, by, draft));
      const { id, decision } = (await response.json()) as { id?: string; decision?: Decision };
      const made = id ?? decision?.id;
      if (made) await (await count(await undo(pick([second, first], at), by, made))).text();
    };
    const write = async (at: number) => {
      const forum = pick([first, second], at);
      const { token } = pick(authors, at);
      const body = { id: pick(channels, at * 5), comment: `más ${at}` };
      await (await count(await forum.call('PUT', apiRoutes.comment, { token, body }))).text();
    };
    // As many concurrent callers as a busy community has.
    const callers = Array.from({ length: 20 }, async (_, caller) => {
      for (let at = caller; at < 160; at += 20)
        await Promise.all([decideAndUndo(at), write(at), write(at + 160)]);
    });
    await Promise.all(callers);
    const failed = [...statuses].filter(([status]) => status >= 500);
    assert.deepEqual(failed, [], JSON.stringify([...statuses]));
    assert.ok((statuses.get(201) ?? 0) > 50, JSON.stringify([...statuses]));
    await expectConsistent(first.services.db);
  } finally {
    await second.stop();
    await first.stop();
  }
});
