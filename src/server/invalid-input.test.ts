import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onBothEngines } from '../../test/forum/both-engines.ts';
import type { Forum } from '../../test/forum/forum.ts';
import { comment, staff, user } from '../../test/forum/moderators.ts';
import { apiRoutes } from '../shared/api-routes.ts';
import type { Problem } from '../shared/errors.ts';
import { limits } from '../shared/limits.ts';

/**
 * A call that is refused for each of the inputs. An input is the query of a GET, and of others what it changes in the
 * valid body; a body that is not an object replaces it. The expected code is followed by the names of the fields.
 */
type Refusal = [call: string, expected: string, ...inputs: unknown[]];

const after = (...cursors: string[]) => cursors.map((cursor) => `?after=${cursor}`);
const fields = (name: string, ...values: unknown[]) => values.map((value) => ({ [name]: value }));
const long = (chars: number) => 'x'.repeat(chars + 1);

async function setUp(forum: Forum) {
  const admin = await staff(forum, 'admin');
  const author = await forum.person();
  const { _id: id } = await forum.channel(author);
  const { _id: otherId } = await forum.channel(author);
  await forum.comment(author, id, 'Hola');
  /** The valid body of each call below. */
  const bodies: Record<string, object> = {
    [`POST ${apiRoutes.signUp}`]: { name: 'Ana', email: 'ana@ejemplo.es', password: 'x' },
    [`POST ${apiRoutes.channels}`]: {
      ...{ name: 'Cine', description: 'De barrio', cover: '/default-avatar.svg' },
    },
    [`PUT ${apiRoutes.comment}`]: { id, comment: 'Hola' },
    [`POST ${apiRoutes.decisions}`]: {
      ...{ subject: comment(id, 1), action: 'hide', reason: 'Es publicidad.' },
    },
    [`POST ${apiRoutes.reports}`]: { kind: 'channel', id, reason: 'spam' },
  };
  const refusals: Refusal[] = [
    ...listRefusals(id, otherId, author.id),
    ...accountRefusals(),
    ...forumRefusals(id),
    ...moderationRefusals(author.id),
  ];
  return { admin, refusals, bodies };
}

function listRefusals(id: string, otherId: string, personId: string): Refusal[] {
  const comments = `GET ${apiRoutes.channelComments(id)}`;
  const queue = apiRoutes.queue;
  return [
    [
      `GET ${apiRoutes.channels}`,
      'invalid_request limit',
      ...['?limit=0', '?limit=101', '?limit=x'],
    ],
    [`GET ${apiRoutes.channels}`, 'invalid_request comments', '?comments=-1', '?comments=101'],
    [
      `GET ${apiRoutes.channels}`,
      'invalid_request sort',
      ...['?sort=name', '?sort=new&sort=activity'],
    ],
    [
      `GET ${apiRoutes.channels}`,
      'invalid_cursor',
      ...after('', 'x', '1_', '1_x', '-1_00000000-0000-7000-8000-000000000000'),
      ...['comments', 'activity', 'new'].flatMap((sort) =>
        [`activity_${'9'.repeat(16)}_x`, 'activity_-1_x', 'new_', 'new_x'].map(
          (cursor) => `?sort=${sort}&after=${cursor}`,
        ),
      ),
    ],
    [comments, 'invalid_request after before', `?after=${id}-1&before=${id}-5`],
    [comments, 'invalid_request after around', `?after=${id}-1&around=5`],
    [comments, 'invalid_request before around', `?before=${id}-1&around=5`],
    [
      comments,
      'invalid_request around',
      ...['x', '', '0', '-1', '2147483648', '1e400'].map((around) => `?around=${around}`),
    ],
    [
      comments,
      'invalid_cursor',
      ...after('', 'x', `${otherId}-1`, `${id}-`, `${id}-99999999999`),
      ...['x', '', `${id}-x`, `${id}-2147483648`, `${'0'.repeat(16)}.${id}-1`].map(
        (before) => `?before=${before}`,
      ),
    ],
    [`GET ${apiRoutes.replies(id, 1)}`, 'invalid_cursor', ...after('x')],
    [`GET ${apiRoutes.thanks(id, 1)}`, 'invalid_cursor', ...after('x', '1_x', `1_${personId}x`)],
    [`GET ${apiRoutes.thanked(id)}`, 'invalid_request from to', ''],
    [`GET ${apiRoutes.thanked(id)}`, 'invalid_request from', '?from=0&to=1', '?from=x&to=1'],
    [`GET ${apiRoutes.thanked(id)}`, 'invalid_request to', '?from=1&to=2147483648'],
    ...[apiRoutes.userComments(personId), apiRoutes.userChannels(personId)].map(
      (url): Refusal => [
        `GET ${url}`,
        'invalid_cursor',
        ...after('', 'x', `1_${personId}`, `1_${personId}-`, `-1_${personId}-1`),
        ...after(`1_${personId}-1x`),
      ],
    ),
    [
      `GET ${apiRoutes.userComments(personId)}`,
      'invalid_request limit',
      ...['?limit=0', '?limit=101', '?limit=x'],
    ],
    [`GET ${apiRoutes.users}`, 'invalid_request channel', '?prefix=an'],
    [
      `GET ${apiRoutes.users}`,
      'invalid_request prefix',
      `?channel=${id}&prefix=${'a'.repeat(400)}`,
    ],
    [
      `GET ${apiRoutes.users}`,
      'invalid_fields prefix',
      ...['a'.repeat(81), 'a%CC%81'.repeat(100)].map((text) => `?channel=${id}&prefix=${text}`),
    ],
    [
      `GET ${apiRoutes.trash}`,
      'invalid_cursor',
      ...after('', 'x', `deleted_1_${'0-'.repeat(18)}-1`, `1_${randomUUID()}-1`),
    ],
    [
      `GET ${apiRoutes.notifications}`,
      'invalid_cursor',
      ...after('x', '1', '1_', `1_${'9'.repeat(16)}`),
    ],
    [
      `GET ${apiRoutes.news}`,
      'invalid_request',
      `?channels=${Array.from({ length: limits.readsPerRequest + 1 }, (_, index) => `c${index}`)}`,
    ],
    [`GET ${apiRoutes.search}`, 'invalid_request q', '', '?q=a&q=b'],
    [`GET ${apiRoutes.log}`, 'invalid_cursor', ...after('x')],
    [`GET ${apiRoutes.members}`, 'invalid_cursor', ...after('nada')],
    [`GET ${apiRoutes.members}`, 'invalid_fields q', `?q=${'a'.repeat(81)}`],
    ...['open', 'decided'].map(
      (state): Refusal => [
        `GET ${queue}?state=${state}`,
        'invalid_cursor',
        ...['', 'x', `1_${'x'.repeat(36)}`, 'n_1', `1_${randomUUID()}_`].map(
          (cursor) => `&after=${cursor}`,
        ),
      ],
    ),
  ];
}

function accountRefusals(): Refusal[] {
  return [
    [
      `POST ${apiRoutes.signUp}`,
      'invalid_fields name email password img',
      { name: ' \u200b ', email: 'a'.repeat(255), password: '', img: 'data:x' },
    ],
    [
      `POST ${apiRoutes.signUp}`,
      'invalid_fields email password',
      { email: undefined, password: undefined },
    ],
    [`POST ${apiRoutes.signUp}`, 'invalid_fields name', { name: 7 }],
    [`POST ${apiRoutes.signUp}`, 'invalid_json', '{"name":'],
    [`POST ${apiRoutes.signUp}`, 'invalid_fields', '[]', 'null', '"x"', ''],
    [`POST ${apiRoutes.signIn}`, 'invalid_fields remember', { remember: 'sí' }],
    [
      `POST ${apiRoutes.recover}`,
      'invalid_fields password',
      { email: 'ana@ejemplo.es', code: 'x', password: '' },
    ],
    [`PATCH ${apiRoutes.me}`, 'invalid_fields currentPassword', {}],
    [`POST ${apiRoutes.invitations}`, 'invalid_fields uses', ...fields('uses', 0, 201, 1.5)],
    [`POST ${apiRoutes.invitations}`, 'invalid_fields days', { days: 31 }],
    [
      `PUT ${apiRoutes.notificationsSeen}`,
      'invalid_fields id',
      ...fields('id', -1, 1.5, '1', null),
    ],
  ];
}

function forumRefusals(id: string): Refusal[] {
  const reads = `PUT ${apiRoutes.reads}`;
  const position = { channelId: id, number: 1 };
  return [
    [
      `POST ${apiRoutes.channels}`,
      'invalid_fields name',
      ...fields('name', '', '   ', '\u200b\u2060', 'a\ud800b', '\u0007\u009f\r'),
    ],
    [`POST ${apiRoutes.channels}`, 'invalid_fields description', { description: 'ñ'.repeat(5001) }],
    [
      `POST ${apiRoutes.channels}`,
      'invalid_fields cover',
      ...fields('cover', '', 'a.png', '//ejemplo.es/a.png', '/otra/a.png', '/files/../login'),
      ...fields('cover', '/files/\\evil', 'javascript:alert(1)', 'data:image/png;base64,AAAA'),
      ...fields('cover', 'http://ejemplo.es/a.png', 'https://yo:clave@ejemplo.es/a.png'),
      ...fields('cover', 'https://ejemplo.es/a b.png', `https://ejemplo.es/${long(2047)}`),
      // 2,000 different characters of three bytes each.
      ...fields(
        'cover',
        `https://ejemplo.es/${String.fromCodePoint(...Array.from({ length: 2000 }, (_, i) => 0x4e00 + i * 7))}`,
      ),
    ],
    [`PUT ${apiRoutes.level(id)}`, 'invalid_fields level', ...fields('level', 'todo', null, 1)],
    [
      `PUT ${apiRoutes.comment}`,
      'invalid_fields comment',
      ...fields('comment', '', ' \n ', '\u200d', long(10_000), '\udc00', 7, null, '\u0002'),
    ],
    [
      `PUT ${apiRoutes.comment}`,
      'invalid_fields replyTo',
      ...fields('replyTo', '1', 1.5, true, {}, [1]),
    ],
    [
      reads,
      'invalid_fields number',
      ...[-1, 1.5, '1', undefined].map((number) => ({ ...position, number })),
    ],
    [
      reads,
      'invalid_fields channelId',
      { number: 1 },
      ...[7, long(200)].map((channelId) => ({ ...position, channelId })),
    ],
    [reads, 'invalid_fields', JSON.stringify(Array(limits.readsPerRequest + 1).fill(position))],
    [reads, 'invalid_fields 0', JSON.stringify([[position]]), '[null]'],
    [reads, 'invalid_fields', 'null', '"x"'],
  ];
}

function moderationRefusals(personId: string): Refusal[] {
  const decisions = `POST ${apiRoutes.decisions}`;
  const reports = `POST ${apiRoutes.reports}`;
  const settings = `PATCH ${apiRoutes.siteSettings}`;
  const links = ['Uno', 'Dos', 'Tres'].map((label) => ({ label, href: 'https://ejemplo.es/' }));
  const people = { kind: 'users', ids: [personId] };
  return [
    [
      decisions,
      'invalid_fields reason',
      ...fields('reason', '', ' \u200b ', long(limits.reasonChars), long(9999)),
      { subject: { kind: 'appeal', id: 'x' }, action: 'dismiss', reason: '' },
    ],
    [
      decisions,
      'invalid_fields days',
      { action: 'silence' },
      { action: 'silence', days: 0 },
      { action: 'suspend', days: 366 },
      { action: 'suspend', days: 1.5 },
    ],
    [
      decisions,
      'invalid_fields action',
      ...fields('action', 'publish', 'undo'),
      { subject: user({ id: personId }) },
      { subject: people, action: 'suspend' },
      { subject: { kind: 'appeal', id: 'x' } },
    ],
    [decisions, 'invalid_fields category', { category: 'otra' }],
    [
      decisions,
      'invalid_fields subject.id subject.kind subject.ids subject',
      { subject: { ...people, ids: [] }, action: 'hideAll' },
      {
        subject: { ...people, ids: Array.from({ length: 201 }, () => randomUUID()) },
        action: 'hideAll',
      },
    ],
    [
      `POST ${apiRoutes.undoDecision('x')}`,
      'invalid_fields reason',
      {},
      ...fields('reason', '', ' \u200b'),
    ],
    [`POST ${apiRoutes.undoDecision('x')}`, 'invalid_fields', undefined],
    [
      `POST ${apiRoutes.appeal('x')}`,
      'invalid_fields text',
      ...fields('text', '', ' ', long(9999)),
    ],
    [reports, 'invalid_fields text', { text: long(9999) }],
    [reports, 'invalid_fields reason', { reason: 'x' }, { reason: undefined }],
    [reports, 'invalid_fields kind', { kind: 'x' }],
    [reports, 'invalid_fields id', { id: 7 }],
    [`PUT ${apiRoutes.userRole(personId)}`, 'invalid_fields role', { role: 'jefa' }, {}],

    [settings, 'invalid_fields name', { name: '🦖'.repeat(80) }],
    [settings, 'invalid_fields welcome', { welcome: long(limits.welcomeChars) }],
    [settings, 'invalid_fields rules', { rules: long(50_000) }],
    [settings, 'invalid_fields contact', { contact: long(limits.contactChars) }],
    [settings, 'invalid_fields registration', { registration: 'todos' }],
    [settings, 'invalid_fields links', { links: links.slice(0, 2) }],
    [
      settings,
      'invalid_fields links.2.href',
      ...['javascript:alert(1)', 'java\nscript:alert(1)', '//ejemplo.es', ''].map((href) => ({
        links: links.with(2, { label: 'Tres', href }),
      })),
    ],
    [
      settings,
      'invalid_fields links.1.label',
      ...['\u200b', long(limits.linkLabelChars)].map((label) => ({
        links: links.with(1, { label, href: 'https://ejemplo.es/' }),
      })),
    ],
  ];
}

onBothEngines('invalid input', (forum) => {
  test('is refused with a code and the names of the fields, and changes nothing', async () => {
    const { admin, refusals, bodies } = await setUp(forum());
    const { token } = admin;
    const lists = [apiRoutes.channels, apiRoutes.siteSettings, apiRoutes.queue, apiRoutes.news];
    const readAll = () => Promise.all(lists.map((url) => forum().json('GET', url, { token })));
    const before = await readAll();
    for (const [call, expected, ...inputs] of refusals) {
      const [method = '', url = ''] = call.split(' ');
      for (const input of inputs) {
        const body = typeof input === 'object' ? { ...bodies[call], ...input } : input;
        const response = await (method === 'GET'
          ? forum().call(method, `${url}${input}`, { token })
          : forum().call(method, url, { token, body, headers: { 'if-match': '"0"' } }));
        const { status, code, errors = [] } = (await response.json()) as Problem;
        // A wrong body as a whole has a field without a name.
        const names = errors.map(({ field }) => field).filter((name) => name !== '');
        const what = `${call} ${JSON.stringify(input)}`.slice(0, 300);
        assert.equal([status, code, ...names].join(' '), `400 ${expected}`, what);
      }
    }
    assert.deepEqual(await readAll(), before);
  });
});
