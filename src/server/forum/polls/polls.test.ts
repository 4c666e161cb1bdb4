import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { askForDeletion } from '../../../../test/forum/leave-traces.ts';
import {
  comment as commentOf,
  hideContent,
  openCase,
  restrictAccount,
  staff,
} from '../../../../test/forum/moderators.ts';
import { insertVoters, newPoll, polledChannel, vote } from '../../../../test/forum/polls.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { Comment, Mine } from '../../../shared/comments.ts';
import type { ProblemCode } from '../../../shared/errors.ts';
import type { Thankful } from '../../../shared/people.ts';
import type { CommentVote, NewPoll } from '../../../shared/polls.ts';
import { withQuery } from '../../../shared/routes.ts';
import { closePolls } from '../../notifications/pass/tell-polls.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';
import { dayMs } from '../../system/times.ts';
import { castVote } from './cast-vote.ts';

const hourMs = 3_600_000;
const year = new Date().getFullYear() + 2;

onBothEngines('polls', (forum, wait) => {
  const scene = async (more: Partial<NewPoll> = {}) => {
    const author = await forum().person('Ana');
    return { author, ...(await polledChannel(forum(), author, more)) };
  };
  const voted = async (person: Person, id: string, options: number[]) => {
    const response = await vote(forum(), person, id, options);
    assert.equal(response.status, 200);
    return (await response.json()) as CommentVote;
  };
  const read = async (id: string) => {
    const [comment] = await forum().allComments(id);
    return comment?.poll ?? assert.fail();
  };
  const counts = async (id: string) => {
    const { voters, options } = await read(id);
    return [voters, ...options.map(({ votes }) => votes)];
  };
  const names = ({ token }: Person, id: string, option: number, after?: string) =>
    forum().call('GET', withQuery(apiRoutes.votes(id, 1), { option, after }), { token });
  const close = () => closePolls(forum().services);

  test('are part of a comment, with days and hours in words, and stay when the text becomes empty', async () => {
    await changeSettings(forum(), { zone: 'Europe/Madrid' });
    const options = [{ text: ' Bares de  tapas ' }, { start: `${year}-06-03T09:30` }];
    const { author, comment, id } = await scene({ multiple: true, options });
    const { poll } = comment;
    assert.match(poll?.options[1]?.text ?? '', new RegExp(`^\\S+ 3 de junio de ${year}, 9:30$`));
    assert.deepEqual(poll, {
      ...{ multiple: true, secret: false, isClosed: false, restartedAt: null, voters: null },
      closesAt: poll?.closesAt,
      options: [
        { position: 0, text: 'Bares de tapas', start: null, votes: null },
        { position: 1, text: poll?.options[1]?.text, start: `${year}-06-03T09:30`, votes: null },
      ],
    });
    assert.deepEqual(await read(id), poll);
    const found = await forum().json<{ data: { comment: Comment }[] }>(
      'GET',
      withQuery(apiRoutes.search, { q: 'vamos tapas junio', channel: id }),
    );
    assert.equal(found.data[0]?.comment.number, 1);
    const edited = await forum().edit(author, id, 1, '');
    assert.deepEqual([edited.comment, edited.poll], ['', poll]);
    const answer = await forum().comment(author, id, 'Yo, tapas', { replyTo: 1 });
    assert.match(answer.replyExcerpt, /^Bares de tapas/);
  });

  test('are refused in words when options are equal, empty or too long, or the closing is too soon or late', async () => {
    const { author, id } = await scene();
    const at = (ms: number) => new Date(forum().services.now() + ms).toISOString();
    const refused: [Partial<NewPoll>, RegExp][] = [
      [{ options: [{ text: 'Sí' }, { text: 'sí ' }] }, /^poll.options: Hay dos opciones iguales/],
      [{ options: [{ text: 'Sí' }, {}] }, /^poll.options: .*vacío/],
      [{ options: [{ text: 'Sí' }, { text: '\u202e' }] }, /^poll.options: .*vacío/],
      [{ options: [{ text: 'Sí' }, { text: 'x'.repeat(101) }] }, /^poll.options: Como mucho 100/],
      [{ options: [{ text: 'Sí' }] }, /^poll.options/],
      [
        { options: Array.from({ length: 13 }, (_, index) => ({ text: `${index}` })) },
        /^poll.options/,
      ],
      [{ options: [{ text: 'Sí' }, { start: `${year}-02-31T20:00` }] }, /no es un día y una hora/],
      [
        {
          closesAt: at(60 * dayMs),
          options: [{ text: 'Sí' }, { start: at(30 * dayMs).slice(0, 16) }],
        },
        /^poll.closesAt: Elige un cierre anterior al .*, que se vota/,
      ],
      [
        { options: [{ text: 'Sí' }, { start: '2020-02-01T20:00' }] },
        /^poll.options: .*ya ha pasado/,
      ],
      [{ closesAt: at(8 * 60_000) }, /^poll.closesAt: Elige un cierre de 10 minutos a 90 días/],
      [{ closesAt: at(91 * dayMs) }, /^poll.closesAt/],
      [{ closesAt: 'mañana' }, /^poll.closesAt/],
    ];
    const send = (more: object) =>
      forum().call('PUT', apiRoutes.comment, {
        ...{ token: author.token, headers: { 'idempotency-key': crypto.randomUUID() } },
        body: { id, comment: '', ...more },
      });
    const errorsOf = async (response: Response, code: ProblemCode = 'invalid_fields') =>
      (await expectProblem(response, 400, code)).errors
        ?.map(({ field, message }) => `${field}: ${message}`)
        .join() ?? '';
    for (const [more, message] of refused)
      assert.match(await errorsOf(await send({ poll: newPoll(forum(), more) })), message);
    const event = { title: 'Cena', allDay: false, dates: [{ start: `${year}-06-03T20:30` }] };
    assert.match(
      await errorsOf(await send({ event, poll: newPoll(forum()) })),
      /^poll: .*no las dos/,
    );
    assert.equal((await forum().allComments(id)).length, 1);
  });

  test('with names take the last vote of each person, and show counts only to who has voted', async () => {
    const { author, id } = await scene({ multiple: true });
    const [bea, leo] = [await forum().person('Bea'), await forum().person('Leo')];
    await voted(bea, id, [0, 1]);
    await voted(bea, id, [1, 0]);
    await voted(author, id, [1]);
    assert.deepEqual(await voted(bea, id, [1, 2]), {
      ...{ channelId: id, number: 1, options: [1, 2] },
      result: { voters: 2, votes: [0, 2, 1] },
    });
    assert.deepEqual(await counts(id), [null, null, null, null]);
    const mine = async ({ token }: Person) =>
      (
        await forum().json<Mine>('GET', withQuery(apiRoutes.mine(id), { from: 1, to: 9 }), {
          token,
        })
      ).votes;
    assert.deepEqual(await mine(leo), []);
    assert.deepEqual(await mine(author), [
      { channelId: id, number: 1, options: [1], result: { voters: 2, votes: [0, 2, 1] } },
    ]);
    wait(hourMs);
    assert.equal((await vote(forum(), leo, id, [0])).status, 409);
    assert.deepEqual(await counts(id), [null, null, null, null]);
    await close();
    assert.deepEqual([(await read(id)).isClosed, ...(await counts(id))], [true, 2, 0, 2, 1]);
  });

  test('refuse other options than theirs, and votes that come too late or to what is not shown', async () => {
    const { author, id } = await scene();
    const { id: other } = await scene({ options: [{ text: 'Sí' }, { text: 'No' }] });
    const { id: hidden } = await scene();
    await hideContent(forum(), `${hidden}-1`);
    const { _id: plain } = await forum().channel(author);
    await forum().comment(author, plain, 'hola');
    const refused: [string, number[], number, ProblemCode][] = [
      [other, [2], 400, 'invalid_fields'],
      [other, [12], 400, 'invalid_fields'],
      [other, [-1], 400, 'invalid_fields'],
      [id, [], 400, 'invalid_fields'],
      [id, [0, 1], 400, 'invalid_fields'],
      [id, [1, 1], 400, 'invalid_fields'],
      [hidden, [0], 404, 'comment_not_found'],
      [plain, [0], 404, 'poll_not_found'],
      ['otra', [0], 404, 'comment_not_found'],
    ];
    const bea = await forum().person('Bea');
    for (const [channel, options, status, code] of refused)
      await expectProblem(await vote(forum(), bea, channel, options), status, code);
    await restrictAccount(forum(), bea, 'suspend');
    await expectProblem(await vote(forum(), bea, id, [0]), 403, 'suspended');
    wait(hourMs);
    const { token } = await forum().newSession(author);
    await expectProblem(await vote(forum(), { token }, id, [0]), 409, 'poll_closed');
    const { db } = forum().services;
    assert.deepEqual(
      await db
        .selectFrom('poll_votes')
        .selectAll()
        .where('channel_id', 'in', [id, other])
        .execute(),
      [],
    );
  });

  test('that are secret take one vote of each person, and have no result with fewer than three', async () => {
    const { author, id } = await scene({ secret: true });
    const [bea, leo] = [await forum().person('Bea'), await forum().person('Leo')];
    const tabs = await Promise.all([vote(forum(), bea, id, [0]), vote(forum(), bea, id, [1])]);
    assert.deepEqual(tabs.map(({ status }) => status).sort(), [200, 409]);
    await expectProblem(await vote(forum(), bea, id, [2]), 409, 'already_voted');
    assert.deepEqual(await voted(author, id, [2]), {
      ...{ channelId: id, number: 1, options: null, result: null },
    });
    await expectProblem(await names(bea, id, 0), 404, 'poll_not_found');
    const { id: larger } = await scene({ secret: true, multiple: true });
    await voted(author, larger, [0, 2]);
    for (const person of [bea, leo]) await voted(person, larger, [2]);
    const mallory = await forum().person('Mallory');
    await restrictAccount(forum(), mallory, 'hideAll');
    await expectProblem(await vote(forum(), mallory, larger, [0]), 403, 'silenced');
    wait(hourMs);
    await close();
    assert.deepEqual(await counts(id), [null, null, null, null]);
    assert.deepEqual(await counts(larger), [3, 1, 0, 3]);
  });

  test('with names list who voted to who has voted, and to all members once they are closed', async () => {
    const { author, id } = await scene();
    const [bea, leo, mallory] = [
      await forum().person('Bea'),
      await forum().person('Leo'),
      await forum().person('Mallory'),
    ];
    for (const person of [bea, mallory]) await voted(person, id, [1]);
    await restrictAccount(forum(), mallory, 'hideAll');
    await expectProblem(await names(author, id, 1), 403, 'vote_first');
    const listed = async (person: Person, option: number, after?: string) => {
      const { data } = (await (await names(person, id, option, after)).json()) as {
        data: Thankful[];
      };
      return data.map(({ name }) => name);
    };
    assert.deepEqual((await voted(author, id, [0])).result, { voters: 2, votes: [1, 1, 0] });
    assert.deepEqual(await listed(author, 1), ['Bea']);
    assert.deepEqual(await listed(author, 1, bea.id), []);
    wait(hourMs);
    await close();
    assert.deepEqual([await listed(leo, 0), await counts(id)], [['Ana'], [2, 1, 1, 0]]);
    await expectProblem(await names(leo, id, 3), 404, 'poll_not_found');
  });

  test('count each of two hundred votes at once', async () => {
    for (const secret of [false, true]) {
      const { id } = await scene({ secret });
      const voters = await insertVoters(forum(), 200);
      const key = { channelId: id, number: 1 };
      await Promise.all(
        voters.map((voter, index) => castVote(forum().services, voter, key, [index % 3])),
      );
      wait(hourMs);
      await close();
      assert.deepEqual(await counts(id), [200, 67, 67, 66]);
    }
  });

  test('stand beside their channel while they are open and shown, the next to close first', async () => {
    const { author, id } = await scene();
    const later = new Date(forum().services.now() + 2 * hourMs).toISOString();
    await forum().comment(author, id, '', { poll: newPoll(forum(), { closesAt: later }) });
    const secondTitle = 'Playa';
    const open = async () =>
      (await forum().json<Channel>('GET', apiRoutes.channel(id))).polls?.map(({ title }) => title);
    assert.deepEqual(await open(), ['¿Adónde vamos?', secondTitle]);
    await hideContent(forum(), `${id}-2`);
    assert.deepEqual(await open(), ['¿Adónde vamos?']);
    wait(hourMs);
    await close();
    assert.equal(await open(), undefined);
  });

  test('lose the named votes of an erased account, while its secret one stays counted', async () => {
    const closesAt = new Date(forum().services.now() + 30 * dayMs).toISOString();
    const { id: named } = await scene({ closesAt });
    const { id: secret } = await scene({ secret: true });
    const [bea, ...others] = [
      await forum().person('Bea'),
      await forum().person('Leo'),
      await forum().person('Eva'),
    ];
    for (const person of [bea, ...others]) {
      await voted(person, named, [1]);
      await voted(person, secret, [1]);
    }
    await askForDeletion(forum(), bea, 'anonymous');
    wait(15 * dayMs);
    await eraseDueAccounts(forum().services);
    const { db } = forum().services;
    const left = (table: 'poll_votes' | 'secret_voters') =>
      db.selectFrom(table).select('number').where('account_id', '=', bea.id).execute();
    assert.deepEqual([await left('poll_votes'), await left('secret_voters')], [[], []]);
    wait(15 * dayMs);
    await close();
    assert.deepEqual(await counts(named), [2, 0, 2, 0]);
    assert.deepEqual(await counts(secret), [3, 0, 3, 0]);
  });

  test('that are reported show moderators what they ask', async () => {
    const { author, id } = await scene();
    await openCase(forum(), commentOf(id, 1), author.id);
    const { token } = await staff(forum());
    const queue = JSON.stringify(await forum().json('GET', apiRoutes.queue, { token }));
    assert.match(queue, /Playa\\nSierra\\nPueblo/);
  });
});
