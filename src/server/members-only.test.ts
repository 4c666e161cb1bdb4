import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { before, test } from 'node:test';
import { onEngine } from '../../test/forum/both-engines.ts';
import { changeSettings } from '../../test/forum/change-settings.ts';
import { datedComment } from '../../test/forum/dated-comment.ts';
import { expectProblem, type Person } from '../../test/forum/forum.ts';
import { buildScene, marks, type Scene } from '../../test/forum/moderation-scene.ts';
import { operate } from '../../test/forum/operator.ts';
import { closedPoll } from '../../test/forum/polls.ts';
import { addressOf } from '../../test/forum/route-addresses.ts';
import { insertImported } from '../../test/moving-in/imported-people.ts';
import { apiRoutes } from '../shared/api-routes.ts';
import type { ProblemCode } from '../shared/errors.ts';
import type { News } from '../shared/people.ts';
import { assetRoutes, pageRoutes, searchUrl, withQuery } from '../shared/routes.ts';
import { unsubscribeToken } from './mail/unsubscribe.ts';
import { eraseDueAccounts } from './privacy/erasure/erase-account.ts';
import { routeTable } from './route-table.ts';

const contact = 'secretaria@coro.example';
const ownPage = { 'sec-fetch-site': 'same-origin' };

/** Refusals of accounts that are signed in and may not read. */
const refusals: Record<string, [status: number, code: ProblemCode]> = {
  'suspended with a token': [403, 'suspended'],
  'hidden with a token': [403, 'silenced'],
};

// One gate decides, by the table of routes; `reader-cookies.test.ts` shows on both engines how it finds who reads.
onEngine('sqlite', 'a community that its members alone read', (forum) => {
  let scene: Scene;
  let receipt: string;
  const people: Record<string, Person> = {};
  /** The reading cookies of these people's browsers. */
  const cookies: Record<string, string> = {};
  const names = ['member', 'silenced', 'suspended', 'hidden', 'disabled', 'erased', 'signed out'];

  before(async () => {
    scene = await buildScene(forum());
    ({ receipt } = await forum().json<{ receipt: string }>('POST', apiRoutes.reports, {
      body: { kind: 'channel', id: scene.shared._id, reason: 'spam' },
    }));
    await changeSettings(forum(), { readers: 'members', contact, registration: 'request' });
    await changeSettings(forum(), { readers: 'members', contact });
    for (const name of names) {
      const person = await forum().person(name);
      people[name] = person;
      cookies[name] = await cookieOf(person);
      const body = { channelId: scene.shared._id, number: 1 };
      await forum().json('PUT', apiRoutes.reads, { token: person.token, body });
    }
    const admin = scene.people.admin;
    const decide = (name: string, action: string) =>
      forum().json('POST', apiRoutes.decisions, {
        token: admin.token,
        body: {
          subject: { kind: 'user', id: people[name]?.id },
          action,
          ...(action === 'hideAll' ? {} : { days: 7 }),
          reason: 'Insultos.',
        },
      });
    await decide('silenced', 'silence');
    await decide('suspended', 'suspend');
    await decide('hidden', 'hideAll');
    await operate(forum(), 'disable', people.disabled?.email ?? '');
    await operate(forum(), 'erase-account', '--now', people.erased?.email ?? '');
    await eraseDueAccounts(forum().services);
    await forum().json('POST', apiRoutes.signOut, { token: people['signed out']?.token ?? '' });
  });

  /** Opens a page with the person's token. @returns the reading cookie that the browser receives */
  async function cookieOf({ token }: Person): Promise<string> {
    const { headers } = await forum().call('GET', apiRoutes.news, { token, headers: ownPage });
    return nameAndValue(headers);
  }
  const nameAndValue = (headers: Headers) =>
    headers
      .getSetCookie()
      .find((one) => /reader=/.test(one))
      ?.split(';', 1)[0] ?? '';
  const read = (url: string, cookie?: string, headers: Record<string, string> = {}) =>
    forum().call('GET', url, { headers: { ...headers, ...(cookie ? { cookie } : {}) } });

  /** Every address of a route that answers GET, with rows that exist, and some that do not. */
  async function addresses(): Promise<[route: string, url: string][]> {
    const { author, member } = scene.people;
    const imported = await insertImported(forum(), author);
    // The community could not be opened to everybody otherwise.
    await forum()
      .services.db.updateTable('channels')
      .set({ deleted_at_ms: 1 })
      .where('id', '=', imported.channelId)
      .execute();
    const world = {
      owner: author,
      channel: scene.own,
      image: decodeURIComponent(scene.images.cover.replace('/files/', '')),
      decision: 'x',
      receipt,
      unsubscribe: await unsubscribeToken(forum().services.db, member.id),
      ...(await datedComment(forum(), author, scene.own._id, member)),
      polled: await closedPoll(forum(), author, scene.own._id),
      ...imported,
    };
    const routes = Object.keys(routeTable)
      .filter((route) => route.startsWith('GET '))
      .map((route): [string, string] => [route, addressOf(route.slice(4), world)]);
    return [
      ...routes,
      ['GET /channel/:id', pageRoutes.channel(scene.shared._id)],
      ['GET /channel/:id', `${pageRoutes.channel(scene.shared._id)}?n=2`],
      ['GET /channel/:id', pageRoutes.channel('nada')],
      ['GET /user/:id', pageRoutes.user('nada')],
      ['GET /search', searchUrl({ q: marks.comment })],
      ['GET /files/images/:name', scene.images.picture],
      ['GET /files/images/:name', assetRoutes.file('images/nada.png')],
      ['GET /api/channels/:id', apiRoutes.channel('nada')],
      ['GET /', '/nada'],
    ];
  }

  test('no address shows a guest, or whoever may no longer read, what a member wrote', async () => {
    const guestPage = await (await read(pageRoutes.home)).text();
    assert.match(guestPage, /solo la leen sus miembros/);
    assert.ok(guestPage.includes(contact));
    const outsiders: [name: string, cookie?: string | undefined, token?: string | undefined][] = [
      ['guest'],
      ['guest with a made-up cookie', `tertulia-reader=${'a'.repeat(43)}`],
      ['guest with two cookies', `${cookies.member}; tertulia-reader=${'a'.repeat(43)}`],
      ['guest with a cut cookie', cookies.member?.slice(0, -1)],
      ['guest with a made-up token', undefined, 'a'.repeat(43)],
      ...names
        .slice(2)
        .flatMap((name): [string, (string | undefined)?, (string | undefined)?][] => [
          [`${name} with a cookie`, cookies[name]],
          [`${name} with a token`, undefined, people[name]?.token],
        ]),
    ];
    for (const [route, url] of await addresses()) {
      const [callers] = routeTable[route] ?? [];
      for (const [name, cookie, token] of outsiders) {
        // A suspended person still reads their own data.
        if (token && callers === 'signed in') continue;
        const what = `${url} by ${name}`;
        const headers = cookie ? { cookie } : {};
        const answer = await forum().call('GET', url, { headers, ...(token ? { token } : {}) });
        const text = await answer.clone().text();
        for (const mark of Object.values(marks))
          assert.ok(!text.toLowerCase().includes(mark.toLowerCase()), `${what}: ${mark}`);
        assert.ok(
          !answer.headers.get('content-type')?.startsWith('image/') || /azulejo|icon/.test(url),
        );
        if (callers === 'always everyone') {
          assert.equal(answer.status, 200, what);
        } else if (callers !== 'everyone') {
          assert.ok(!answer.ok, what);
        } else if (/^\/(api|files|feeds|sitemap)/.test(url)) {
          const [status, code] = refusals[name] ?? [401, 'not_signed_in'];
          await expectProblem(answer, status, code);
        } else if (!token) {
          assert.equal(answer.status, 200, what);
          assert.equal(text, guestPage, what);
          assert.equal(answer.headers.get('cache-control'), 'no-store', what);
          assert.equal(answer.headers.get('x-robots-tag'), 'noindex', what);
        }
        if (name !== 'guest' || url.endsWith('/live')) continue;
        const head = await forum().call('HEAD', url, { headers, ...(token ? { token } : {}) });
        assert.equal(head.status, answer.status, `HEAD ${what}`);
      }
    }
  });

  test('members read every page, image and list, and no shared cache keeps any', async () => {
    const readers: [cookie?: string | undefined, token?: string | undefined][] = [
      [cookies.silenced],
      [undefined, people.member?.token],
    ];
    for (const [route, url] of await addresses()) {
      if (routeTable[route]?.[0] !== 'everyone' || url.includes('nada')) continue;
      if (url.endsWith('/live')) continue;
      for (const [cookie, token] of readers) {
        const headers = cookie ? { cookie } : {};
        const answer = await forum().call('GET', url, { headers, ...(token ? { token } : {}) });
        const text = await answer.text();
        assert.equal(answer.status, 200, url);
        assert.ok(!text.includes('solo la leen sus miembros'), url);
        const caching = url.startsWith('/files/') ? 'private, max-age=3600' : 'private, no-store';
        assert.equal(answer.headers.get('cache-control'), caching, url);
        assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin', url);
        assert.match(answer.headers.get('vary') ?? '', /cookie/, url);
      }
    }
    const missing = await read('/nada', cookies.member);
    assert.equal(missing.status, 404);
  });

  test('the cookie is no token: it reads, from the own site and links, and changes nothing', async () => {
    const url = pageRoutes.channel(scene.shared._id);
    const picture = scene.images.picture;
    const document = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    // `fetch` sets these headers itself.
    const shows = async (address: string, headers: Record<string, string>) => {
      const sent = request(new URL(address, forum().url), {
        headers: { ...headers, cookie: cookies.member },
      });
      const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
      const text = Buffer.concat(await answer.toArray()).toString('latin1');
      return answer.statusCode === 200 && !text.includes('solo la leen sus miembros');
    };
    for (const site of ['cross-site', 'same-site']) {
      const from = { 'sec-fetch-site': site };
      assert.ok(await shows(url, { ...from, ...document }), `a link on ${site}`);
      assert.ok(!(await shows(url, { ...from, ...frame })), `a frame on ${site}`);
      assert.ok(!(await shows(picture, { ...from, 'sec-fetch-mode': 'no-cors' })));
      assert.ok(!(await shows(apiRoutes.channels, { ...from, 'sec-fetch-mode': 'cors' })));
    }
    // An older browser.
    assert.ok(!(await shows(apiRoutes.channels, { origin: 'https://otro.example' })));
    const comment = await forum().call('PUT', apiRoutes.comment, {
      headers: { cookie: cookies.member ?? '', ...ownPage },
      body: { id: scene.shared._id, comment: 'Hola' },
    });
    await expectProblem(comment, 401, 'not_signed_in');
    await expectProblem(await read(apiRoutes.me, cookies.member), 401, 'not_signed_in');
  });

  test('whoever may not read learns why, and nothing about what is new', async () => {
    const newsOf = (name: string) =>
      forum().json<News>('GET', withQuery(apiRoutes.news, { channels: scene.shared._id }), {
        token: people[name]?.token ?? '',
      });
    assert.equal((await newsOf('silenced')).reads[scene.shared._id]?.number, 1);
    for (const name of ['suspended', 'hidden']) {
      const { reads, unreadNotifications, restriction } = await newsOf(name);
      assert.deepEqual([reads, unreadNotifications, restriction?.state], [{}, 0, name]);
    }
  });

  test('streams end when their reader is suspended, and all when the community closes', async () => {
    const person = await forum().person();
    const cookie = await cookieOf(person);
    const url = apiRoutes.channelLive(scene.shared._id);
    /** Opens a stream. @returns its end */
    const follow = async (headers: Record<string, string>) => {
      const stream = await forum().call('GET', url, { headers });
      assert.equal(stream.status, 200);
      return { end: stream.text() };
    };
    const followed = await follow({ cookie });
    const other = await follow({ cookie: await cookieOf(await forum().person()) });
    await forum().json('POST', apiRoutes.decisions, {
      token: scene.people.admin.token,
      body: {
        subject: { kind: 'user', id: person.id },
        action: 'suspend',
        days: 1,
        reason: 'Insultos.',
      },
    });
    await followed.end;
    await expectProblem(await read(url, cookie), 401, 'not_signed_in');

    await changeSettings(forum(), { contact });
    await other.end;
    const open = await follow({});
    const page = await read(pageRoutes.channel(scene.shared._id));
    assert.match(page.headers.get('cache-control') ?? '', /^public/);
    await changeSettings(forum(), { readers: 'members', contact });
    await open.end;
    await expectProblem(await read(url), 401, 'not_signed_in');
  });

  test('a community of members needs a contact, and an address where browsers keep cookies', async () => {
    const { token } = scene.people.admin;
    const { revision } = await forum().json<{ revision: number }>('GET', apiRoutes.siteSettings, {
      token,
    });
    const save = (body: object, headers = {}) =>
      forum().call('PATCH', apiRoutes.siteSettings, {
        token,
        body,
        headers: { 'if-match': `"${revision}"`, ...headers },
      });
    const tagOf = ({ headers }: Response) => headers.get('etag') ?? '';
    const fieldsOf = async (answer: Response) => {
      assert.equal(answer.status, 400);
      const { errors } = (await answer.json()) as { errors: { field: string }[] };
      return errors.map(({ field }) => field);
    };
    const without = await save({ contact: '' });
    assert.deepEqual(await fieldsOf(without), ['contact']);
    const elsewhere = { origin: 'http://coro.example' };
    const open = await save({ readers: 'everyone' }, elsewhere);
    assert.equal(open.status, 200);
    const closed = await save({ readers: 'members' }, { ...elsewhere, 'if-match': tagOf(open) });
    assert.deepEqual(await fieldsOf(closed), ['readers']);
  });
});
