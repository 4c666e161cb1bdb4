import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeValues } from '../../../../test/change-values.ts';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectConsistent } from '../../../../test/forum/expect-consistent.ts';
import { expectProblem, Forum, type Person } from '../../../../test/forum/forum.ts';
import { expectIndexed } from '../../../../test/forum/index-contents.ts';
import { insertPendingPost } from '../../../../test/forum/insert-pending-post.ts';
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
import { timeoutsMs } from '../../database/postgres/postgres-pool.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';
import { eraseContent } from '../erasure/erase-content.ts';

const dayMs = 86_400_000;

// On a busy machine a transaction may wait for seconds; one that waits for ever still fails.
changeValues(timeoutsMs, { lock: 10_000, statement: 20_000, query: 22_000 });

// On SQLite, transactions run one after the other.
onEngine('postgres', 'a decision at the same moment as', (forum, wait) => {
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
  const sixStaff = () => Array.from({ length: 6 }, () => staff(forum()));
  const operator = () => ({ ...forum().services, actorName: 'ada', note: '' });

  test('writing, deleting and erasing by the account that it hides, and the undo', async () => {
    const eva = await staff(forum());
    for (let round = 0; round < 2; round++) {
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

  test('the first answers to dates by the account that it hides', async () => {
    const eva = await staff(forum());
    const start = `${new Date().getFullYear() + 1}-06-03T20:30`;
    const event = { title: 'Ensayo', allDay: false, dates: [{ start }] };
    const author = await forum().person();
    const { _id: id } = await forum().channel(author);
    await forum().comment(author, id, '', { event });
    for (let round = 0; round < 5; round++) {
      const person = await forum().person();
      const body = { date: 0, answer: 'yes' };
      noServerError(
        await Promise.all([
          forum().call('PUT', apiRoutes.rsvp(id, 1), { token: person.token, body }),
          decide(forum(), eva, { subject: user(person), action: 'hideAll' }),
        ]),
      );
      await expectConsistent(forum().services.db);
    }
  });

  test('the erasure of the account that it hides, or shows again', async () => {
    const eva = await staff(forum());
    const calls: (() => Promise<Response>)[] = [];
    for (const content of ['erase', 'anonymous'] as const) {
      const [hidden, shown] = [await forum().person(), await forum().person()];
      for (const author of [hidden, shown]) {
        await written(author, 15);
        await askForDeletion(forum(), author, content);
      }
      const earlier = await decided(forum(), eva, { subject: user(shown), action: 'hideAll' });
      calls.push(
        () => decide(forum(), eva, { subject: user(hidden), action: 'hideAll' }),
        () => undo(forum(), eva, earlier.id),
      );
    }
    wait(15 * dayMs);
    const [responses] = await Promise.all([
      Promise.all(calls.map((call) => call())),
      eraseDueAccounts(forum().services),
    ]);
    noServerError(responses);
    await eraseDueAccounts(forum().services);
    await expectConsistent(forum().services.db);
  });

  test('comments in the channel that it erases: none is left', async () => {
    const author = await forum().person();
    const id = await written(author, 4);
    const writing = Array.from({ length: 20 }, (_, i) =>
      forum().call('PUT', apiRoutes.comment, {
        token: author.token,
        body: { id, comment: `comentario ${i}` },
      }),
    );
    await eraseContent(operator(), { kind: 'channel', channelId: id });
    for (const response of writing) assert.ok([200, 404].includes((await response).status));
    const { db } = forum().services;
    const left = db.selectFrom('comments').select('number').where('channel_id', '=', id);
    assert.deepEqual(await left.execute(), []);
    assert.equal((await forum().call('GET', apiRoutes.channel(id))).status, 404);
  });

  test('other answers to the same case, appeal or pending post: the first one counts', async () => {
    const author = await forum().person();
    const [id, ...team] = [await written(author, 1), ...(await Promise.all(sixStaff()))] as const;
    /** Asserts that one answer succeeds, and that the others are refused with its decision. */
    const expectFirst = async (answers: Promise<Response>[]) => {
      const [made, ...refused] = (await Promise.all(answers)).toSorted(
        (one, other) => one.status - other.status,
      );
      const { id: first } = (await (made ?? Response.error()).json()) as Decision;
      for (const response of refused)
        assert.equal((await expectProblem(response, 409, 'already_decided')).decision?.id, first);
    };
    const subject = comment(id, 1);
    const version = `${await openCase(forum(), subject, author.id)}.1`;
    const actions = ['hide', 'dismiss', 'suspend', 'hide', 'dismiss', 'suspend'];
    await expectFirst(
      team.map((eva, i) => decide(forum(), eva, { subject, version, action: actions[i] ?? '' })),
    );
    const [eva, ana, ida] = team as [Person, Person, Person];
    for (const isUndoFirst of [false, true, false, true]) {
      const other = await forum().person();
      const silence = { subject: user(other), action: 'silence', days: 1 };
      const { id: appealed } = await decided(forum(), ida, silence);
      const appeal = await openAppeal(forum(), appealed, other.id);
      const answers = [
        () => decide(forum(), eva, { subject: appeal, action: 'dismiss' }),
        () => undo(forum(), ana, appealed, appeal.id),
      ];
      const order = isUndoFirst ? answers.toReversed() : answers;
      await expectFirst(order.map((answer) => answer()));
    }
    const newcomer = await forum().person();
    const pending = {
      kind: 'comment',
      id: await insertPendingPost(forum(), newcomer, id),
    } as const;
    await expectFirst(
      team.map((by, i) =>
        decide(forum(), by, { subject: pending, action: i % 2 ? 'approve' : 'reject' }),
      ),
    );
  });

  test('its undo: one of ten succeeds, and no appeal stays open', async () => {
    const [eva, author] = [await staff(forum()), await forum().person()];
    const id = await written(author, 1);
    const hidden = await decided(forum(), eva, { subject: comment(id, 1), action: 'hide' });
    const undos = Array.from({ length: 10 }, () => undo(forum(), eva, hidden.id));
    const statuses = (await Promise.all(undos)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, ...Array(9).fill(409)]);
    await expectConsistent(forum().services.db);
    const appeals = forum().services.db.selectFrom('appeals').select('id');
    for (let round = 0; round < 5; round++) {
      const draft = { subject: user(author), action: 'silence', days: 1 };
      const { id: silence } = await decided(forum(), eva, draft);
      const send = (text: string) =>
        forum().call('POST', apiRoutes.appeal(silence), { token: author.token, body: { text } });
      await Promise.all([send('uno'), undone(forum(), eva, { id: silence }), send('dos')]);
      const ofSilence = appeals.where('decision_id', '=', silence);
      assert.ok((await ofSilence.execute()).length <= 1);
      assert.deepEqual(await ofSilence.where('answer', 'is', null).execute(), []);
    }
  });
});

test('many mixed decisions of two processes among writers end without a 503 (postgres)', async () => {
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
          comment(pick(channels, at), 1 + (at % 12)),
          { kind: 'users' as const, ids: [0, 3, 5].map((more) => pick(authors, at + more).id) },
          { kind: 'channel' as const, id: pick(channels, at) },
        ],
        at,
      );
      const action =
        subject.kind === 'users' ? 'hideAll' : pick(['hideAll', 'silence', 'suspend'], at * 3);
      const isContent = subject.kind === 'comment' || subject.kind === 'channel';
      const draft = {
        subject,
        action: isContent && at % 2 ? 'hide' : action,
        days: 1,
        reason: `Motivo ${at}`,
      };
      const response = await count(await decide(forum, by, draft));
      const { id, decision } = (await response.json()) as { id?: string; decision?: Decision };
      const made = id ?? decision?.id;
      if (made) await (await count(await undo(pick([second, first], at), by, made))).text();
    };
    /** Writes a comment, and changes the one that `decideAndUndo` decides about at the same time. */
    const writeAndChange = async (at: number) => {
      const forum = pick([first, second], at);
      const { token } = pick(authors, at);
      const body = { id: pick(channels, at * 5), comment: `más ${at}` };
      await (await count(await forum.call('PUT', apiRoutes.comment, { token, body }))).text();
      const [channelId, number] = [pick(channels, at), 1 + (at % 12)];
      const url = apiRoutes.channelComment(channelId, number);
      const author = { token: pick(authors, number - 1).token };
      const edit = { headers: { 'if-match': '"1"' }, body: { comment: 'dos' } };
      const changes = await Promise.all([
        forum.call('PATCH', url, { ...author, ...edit }),
        forum.call('PUT', apiRoutes.thanks(channelId, number), { token: pick(authors, at).token }),
        forum.call('DELETE', url, author),
        forum.call('POST', apiRoutes.restoreComment(channelId, number), author),
      ]);
      for (const change of changes) await (await count(change)).text();
    };
    // More at once than a busy community has.
    const callers = Array.from({ length: 4 }, async (_, caller) => {
      for (let at = caller; at < 40; at += 4)
        await Promise.all([decideAndUndo(at), writeAndChange(at)]);
    });
    await Promise.all(callers);
    const failed = [...statuses].filter(([status]) => status >= 500);
    assert.deepEqual(failed, [], JSON.stringify([...statuses]));
    assert.ok((statuses.get(201) ?? 0) > 12, JSON.stringify([...statuses]));
    await expectConsistent(first.services.db);
    await expectIndexed(first.services.db);
  } finally {
    await second.stop();
    await first.stop();
  }
});
