import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onBothEngines } from '../../test/forum/both-engines.ts';
import type { Engine, Forum } from '../../test/forum/forum.ts';
import { comment, staff, user } from '../../test/forum/moderators.ts';
import { apiRoutes } from '../shared/api-routes.ts';
import type { Problem } from '../shared/errors.ts';
import { limits } from '../shared/limits.ts';

/**
 * A call that is refused for each of the inputs. An input is the query of a GET, and of others what it changes in the
 * valid body; a body that is not an object replaces it. The expected code is followed by the names of the fields.
 */
type Refusal = [call: string, expected: string, ...inputs: unknown[]];

/** Queries with one parameter; an empty text is a value too. */
const values = (name: string, ...texts: string[]) => texts.map((text) => `?${name}=${text}`);
const after = (...cursors: string[]) => values('after', ...cursors);
const fields = (name: string, ...sent: unknown[]) => sent.map((value) => ({ [name]: value }));
const long = (chars: number) => 'x'.repeat(chars + 1);

async function setUp(forum: Forum, engine: Engine) {
  const admin = await staff(forum, 'admin');
  const author = await forum.person();
  const { _id: id } = await forum.channel(author);
  const { _id: otherId } = await forum.channel(author);
  await forum.comment(author, id, 'Hola');
  /** The valid body of each call below. */
  const bodies: Record<string, object> = {
    [`POST ${apiRoutes.signUp}`]: { name: 'Ana', email: 'ana@ejemplo.es', password: 'x' },
    [`POST ${apiRoutes.channels}`]: {
      name: 'Cine',
      description: 'De barrio',
      cover: '/default-avatar.svg',
    },
    [`PUT ${apiRoutes.comment}`]: { id, comment: 'Hola' },
    [`POST ${apiRoutes.decisions}`]: {
      subject: comment(id, 1),
      action: 'hide',
      reason: 'Es publicidad.',
    },
    [`POST ${apiRoutes.reports}`]: { kind: 'channel', id, reason: 'spam' },
  };
  const lists = listRefusals(id, otherId, author.id);
  // Cursors and numbers of lists become parameters of SQL. Bodies are parsed before anything is asked of the engine.
  const others = [...accountRefusals(), ...forumRefusals(id), ...moderationRefusals(author.id)];
  return { admin, refusals: engine === 'sqlite' ? [...lists, ...others] : lists, bodies };
}

function listRefusals(id: string, otherId: string, personId: string): Refusal[] {
  const channels = `GET ${apiRoutes.channels}`;
  const comments = `GET ${apiRoutes.channelComments(id)}`;
  const mine = `GET ${apiRoutes.mine(id)}`;
  const users = `GET ${apiRoutes.users}`;
  const ofPerson = [apiRoutes.userComments(personId), apiRoutes.userChannels(personId)];
  const tooMany = Array.from({ length: limits.readsPerRequest + 1 }, (_, index) => `c${index}`);
  const sorted = ['comments', 'activity', 'new'].flatMap((sort) =>
    [`activity_${'9'.repeat(16)}_x`, 'activity_-1_x', 'new_', 'new_x'].map(
      (cursor) => `?sort=${sort}&after=${cursor}`,
    ),
  );
  return [
    [channels, 'invalid_request limit', ...values('limit', '0', '101', 'x')],
    [channels, 'invalid_request comments', ...values('comments', '-1', '101')],
    [channels, 'invalid_request sort', '?sort=name', '?sort=new&sort=activity'],
    [channels, 'invalid_cursor', ...after('', 'x', '1_', '1_x', `-1_${randomUUID()}`), ...sorted],
    [comments, 'invalid_request after before', `?after=${id}-1&before=${id}-5`],
    [comments, 'invalid_request after around', `?after=${id}-1&around=5`],
    [comments, 'invalid_request before around', `?before=${id}-1&around=5`],
    [
      comments,
      'invalid_request around',
      ...values('around', 'x', '', '0', '-1', '2147483648', '1e400'),
    ],
    [
      comments,
      'invalid_cursor',
      ...after('', 'x', `${otherId}-1`, `${id}-`, `${id}-99999999999`),
      ...values('before', 'x', '', `${id}-x`, `${id}-2147483648`, `${'0'.repeat(16)}.${id}-1`),
    ],
    [`GET ${apiRoutes.replies(id, 1)}`, 'invalid_cursor', ...after('x')],
    [`GET ${apiRoutes.documents}`, 'invalid_cursor', ...after('', 'x', '1_x', `-1_${id}-1`)],
    [`GET ${apiRoutes.documents}`, 'invalid_request q', `?q=${long(1000)}`],
    [`GET ${apiRoutes.thanks(id, 1)}`, 'invalid_cursor', ...after('x', '1_x', `1_${personId}x`)],
    [mine, 'invalid_request from to', ''],
    [mine, 'invalid_request from', '?from=0&to=1', '?from=x&to=1'],
    [mine, 'invalid_request to', '?from=1&to=2147483648'],
    ...ofPerson.map((url): Refusal => {
      const almost = [`1_${personId}`, `1_${personId}-`, `-1_${personId}-1`, `1_${personId}-1x`];
      return [`GET ${url}`, 'invalid_cursor', ...after('', 'x', ...almost)];
    }),
    [`GET ${ofPerson[0]}`, 'invalid_request limit', ...values('limit', '0', '101', 'x')],
    [users, 'invalid_request channel', '?prefix=an'],
    [users, 'invalid_request prefix', `?channel=${id}&prefix=${long(400)}`],
    [
      users,
      'invalid_fields prefix',
      ...values(`channel=${id}&prefix`, long(80), 'a%CC%81'.repeat(100)),
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
    [`GET ${apiRoutes.news}`, 'invalid_request', `?channels=${tooMany}`],
    [`GET ${apiRoutes.search}`, 'invalid_request q', '', '?q=a&q=b'],
    [`GET ${apiRoutes.log}`, 'invalid_cursor', ...after('x')],
    [`GET ${apiRoutes.members}`, 'invalid_cursor', ...after('nada')],
    [`GET ${apiRoutes.members}`, 'invalid_fields q', ...values('q', long(80))],
    [`GET ${apiRoutes.members}`, 'invalid_request unapproved', ...values('unapproved', 'x', '0')],
    [
      `GET ${apiRoutes.queue}`,
      'invalid_cursor',
      ...['open', 'decided'].flatMap((state) =>
        values(
          `state=${state}&after`,
          ...['', 'x', '0_x', `1_${'x'.repeat(36)}`, 'n_1', `1_${randomUUID()}_`],
          ...[`2_${randomUUID()}`, `${Date.now()}_${randomUUID()}`],
        ),
      ),
    ],
  ];
}

function accountRefusals(): Refusal[] {
  const signUp = `POST ${apiRoutes.signUp}`;
  const recovery = { email: 'ana@ejemplo.es', code: 'x', password: '' };
  return [
    [
      signUp,
      'invalid_fields name email password img',
      { name: ' \u200b ', email: 'a'.repeat(255), password: '', img: 'data:x' },
    ],
    [signUp, 'invalid_fields email password', { email: undefined, password: undefined }],
    [signUp, 'invalid_fields name', { name: 7 }],
    [signUp, 'invalid_json', '{"name":'],
    [signUp, 'invalid_fields', '[]', 'null', '"x"', ''],
    [`POST ${apiRoutes.signIn}`, 'invalid_fields remember', { remember: 'sí' }],
    [`POST ${apiRoutes.recover}`, 'invalid_fields password', recovery],
    [`PATCH ${apiRoutes.me}`, 'invalid_fields currentPassword', {}],
    [`POST ${apiRoutes.claims}`, 'invalid_fields invitation', ...fields('invitation', 7, null)],
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
  const channels = `POST ${apiRoutes.channels}`;
  const comments = `PUT ${apiRoutes.comment}`;
  const reads = `PUT ${apiRoutes.reads}`;
  const position = { channelId: id, number: 1 };
  const tooMany = JSON.stringify(Array(limits.readsPerRequest + 1).fill(position));
  const file = `/files/files/${randomUUID()}/acta.pdf`;
  const threeBytesEach = Array.from({ length: 2000 }, (_, index) => 0x4e00 + index * 7);
  return [
    [
      channels,
      'invalid_fields name',
      ...fields('name', '', '   ', '\u200b\u2060', 'a\ud800b', '\u0007\u009f\r'),
      ...fields('name', long(limits.channelNameChars)),
    ],
    [channels, 'invalid_fields description', { description: 'ñ'.repeat(5001) }],
    // The test of the field parser has all other addresses.
    [
      channels,
      'invalid_fields cover',
      ...fields('cover', '', '/files/../login', 'http://ejemplo.es/a.png', 'javascript:alert(1)'),
      ...fields('cover', `https://ejemplo.es/${long(2047)}`),
      ...fields('cover', `https://ejemplo.es/${String.fromCodePoint(...threeBytesEach)}`),
    ],
    [`PUT ${apiRoutes.level(id)}`, 'invalid_fields level', ...fields('level', 'todo', null, 1)],
    [
      comments,
      'invalid_fields comment',
      ...fields('comment', '', ' \n ', '\u200d', long(10_000), '\udc00', 7, null, '\u0002'),
    ],
    [
      comments,
      'invalid_fields files',
      ...fields('files', [{ url: file }], [{ url: 'https://ejemplo.es/a.pdf' }], [{ url: '/x' }]),
      ...fields('files', [{ url: `${file}%` }], Array(5).fill({ url: file }), 'x'),
    ],
    [comments, 'invalid_fields replyTo', ...fields('replyTo', '1', 1.5, true, {}, [1])],
    [
      reads,
      'invalid_fields number',
      ...[-1, 1.5, '1', undefined].map((number) => ({ ...position, number })),
    ],
    [
      reads,
      'invalid_fields channelId',
      ...[undefined, 7, long(200)].map((channelId) => ({ ...position, channelId })),
    ],
    [reads, 'invalid_fields', tooMany, 'null', '"x"'],
    [reads, 'invalid_fields 0', JSON.stringify([[position]]), '[null]'],
  ];
}

function moderationRefusals(personId: string): Refusal[] {
  const decisions = `POST ${apiRoutes.decisions}`;
  const undo = `POST ${apiRoutes.undoDecision('x')}`;
  const reports = `POST ${apiRoutes.reports}`;
  const people = { kind: 'users', ids: [personId] };
  const tooMany = Array.from({ length: 201 }, () => randomUUID());
  const appeal = { kind: 'appeal', id: 'x' };
  return [
    [
      decisions,
      'invalid_fields reason',
      ...fields('reason', '', ' \u200b ', long(limits.reasonChars), long(9999)),
      { subject: appeal, action: 'dismiss', reason: '' },
    ],
    [
      decisions,
      'invalid_fields days',
      ...[undefined, 0].map((days) => ({ action: 'silence', days })),
      ...[366, 1.5].map((days) => ({ action: 'suspend', days })),
    ],
    [
      decisions,
      'invalid_fields action',
      ...fields('action', 'publish', 'undo'),
      ...fields('subject', user({ id: personId }), appeal),
      { subject: people, action: 'suspend' },
    ],
    [decisions, 'invalid_fields category', { category: 'otra' }],
    [
      decisions,
      'invalid_fields subject.id subject.kind subject.ids subject',
      ...[[], tooMany].map((ids) => ({ subject: { ...people, ids }, action: 'hideAll' })),
    ],
    [undo, 'invalid_fields reason', {}, ...fields('reason', '', ' \u200b')],
    [undo, 'invalid_fields', undefined],
    [
      `POST ${apiRoutes.appeal('x')}`,
      'invalid_fields text',
      ...fields('text', '', ' ', long(9999)),
    ],
    [reports, 'invalid_fields text', { text: long(9999) }],
    [reports, 'invalid_fields reason', ...fields('reason', 'x', undefined)],
    [reports, 'invalid_fields kind', { kind: 'x' }],
    [reports, 'invalid_fields id', { id: 7 }],
    [`PUT ${apiRoutes.userRole(personId)}`, 'invalid_fields role', { role: 'jefa' }, {}],
    ...siteSettingsRefusals(),
    ...movingInRefusals(),
  ];
}

function movingInRefusals(): Refusal[] {
  const start = `POST ${apiRoutes.movingIn}`;
  const people = [{ source: 'Ana', name: 'Ana' }];
  const plan = { channel: 'Coro', zone: 'UTC', dates: 'day-month', firstDay: '2024-03-15', people };
  const plans = (...changes: object[]) =>
    changes.map((change) => ({ plan: { ...plan, ...change } }));
  return [
    [start, 'invalid_fields plan', {}],
    [start, 'invalid_fields channel', ...plans({ channel: '' }, { channel: long(200) })],
    [start, 'invalid_fields zone', ...plans({ zone: 'Marte/Olimpo' })],
    [start, 'invalid_fields dates', ...plans({ dates: 'ask' })],
    [start, 'invalid_fields firstDay', ...plans({ firstDay: '2024-13-01' })],
    [start, 'invalid_fields people.1', ...plans({ people: [...people, ...people] })],
    [
      start,
      'invalid_fields people.0',
      ...plans({ people: [{ source: 'a', name: '600 11 22 33' }] }),
    ],
  ];
}

function siteSettingsRefusals(): Refusal[] {
  const settings = `PATCH ${apiRoutes.siteSettings}`;
  const href = 'https://ejemplo.es/';
  const links = ['Uno', 'Dos', 'Tres'].map((label) => ({ label, href }));
  const lastTo = (href: string) => ({ links: links.with(2, { label: 'Tres', href }) });
  const secondAs = (label: string) => ({ links: links.with(1, { label, href }) });
  return [
    [settings, 'invalid_fields name', { name: '🦖'.repeat(80) }],
    [settings, 'invalid_fields welcome', { welcome: long(limits.welcomeChars) }],
    [settings, 'invalid_fields rules', { rules: long(50_000) }],
    [settings, 'invalid_fields contact', { contact: long(limits.contactChars) }],
    [settings, 'invalid_fields registration', { registration: 'todos' }],
    [settings, 'invalid_fields links', { links: links.slice(0, 2) }],
    [
      settings,
      'invalid_fields links.2.href',
      ...['javascript:alert(1)', 'java\nscript:alert(1)', '//ejemplo.es', ''].map(lastTo),
    ],
    [
      settings,
      'invalid_fields links.1.label',
      ...['\u200b', long(limits.linkLabelChars)].map(secondAs),
    ],
  ];
}

onBothEngines('invalid input', (forum, _wait, engine) => {
  test('is refused with a code and the names of the fields, and changes nothing', async () => {
    const { admin, refusals, bodies } = await setUp(forum(), engine);
    const { token } = admin;
    const lists = [apiRoutes.channels, apiRoutes.siteSettings, apiRoutes.queue, apiRoutes.news];
    const readAll = () => Promise.all(lists.map((url) => forum().json('GET', url, { token })));
    const before = await readAll();
    for (const [call, expected, ...inputs] of refusals) {
      const [method = '', url = ''] = call.split(' ');
      for (const input of inputs) {
        // The body is checked before the revision, which is not the present one.
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
