import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { engines, expectProblem, type Person } from '../../../../test/forum/forum.ts';
import { decided, staff, user } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import { readZip, rowsIn } from '../../../../test/forum/read-zip.ts';
import { startPushedForum } from '../../../../test/push/pushed-forum.ts';
import { remembered } from '../../../../test/push/remembered.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { limits } from '../../../shared/limits.ts';
import { wholeCharacters } from '../../../shared/whole-characters.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';
import { maxSubscriptions } from '../../push/subscriptions.ts';
import { pushNews } from './push-news.ts';
import { tellInOneProcess } from './start-telling.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

type Site = Awaited<ReturnType<typeof startPushedForum>>;

for (const engine of engines) {
  describe(`push messages (${engine})`, () => {
    let site: Site;
    before(async () => {
      site = await startPushedForum(engine);
    });
    after(() => site?.stop());

    test('tell of a reply, a mention and a decision once, after a moment in which they can be read', async () => {
      const { forum, pushed, wait } = site;
      const ana = await site.subscribed();
      const { channelId, other } = await site.answered(ana);
      assert.deepEqual(await pushed(), []);
      wait(20_000);
      const [reply, ...others] = await pushed();
      assert.deepEqual(others, []);
      const { tag, ...text } = reply?.text ?? { tag: '' };
      assert.deepEqual(text, {
        title: 'Bea te respondió en Cine',
        body: '',
        url: `/channel/${channelId}?n=2#comentario-2`,
      });
      assert.ok(tag);
      assert.match(String(reply?.headers.authorization), /^vapid t=.+, k=.+/);
      assert.equal(reply?.endpoint, ana.subscription.endpoint);
      wait(hourMs);
      assert.deepEqual(await pushed(), []);

      const eva = await staff(forum, 'moderator');
      await decided(forum, eva, { subject: user(ana), action: 'silence', days: 1 });
      const mentions = [{ start: 0, length: 4, accountId: ana.id }];
      await forum.comment(other, channelId, '@Ana mira', { mentions });
      await forum.json('PUT', apiRoutes.thanks(channelId, 1), { token: other.token });
      wait(minuteMs);
      const [both, ...more] = await pushed();
      assert.deepEqual(more, []);
      assert.equal(both?.text.title, '2 avisos');
      assert.equal(
        both?.text.body,
        'El equipo de moderación ha decidido que no puedas escribir\nBea te mencionó en Cine',
      );
      assert.equal(both?.text.url, '/notifications');
    });

    test('of two processes, one sends', async () => {
      const ana = await site.subscribed();
      await site.answered(ana);
      site.wait(minuteMs);
      // Both believe that they hold the lock, and have found the same news.
      const { promise, resolve } = Promise.withResolvers<void>();
      let found = 0;
      const confirmLock = async () => {
        if (++found === 2) resolve();
        await promise;
      };
      const send = () => pushNews(site.forum.services, confirmLock);
      assert.deepEqual((await Promise.all([send(), send()])).sort(), [0, 1]);
      assert.equal(site.service.take().length, 1);
    });

    test('go to ten browsers at most, of which the newest stay, and to one account of a browser', async () => {
      const { forum, service } = site;
      const ana = await forum.person('Ana');
      const browsers: Person[] = [];
      for (let i = 0; i <= maxSubscriptions; i++) {
        site.wait(1000);
        const browser = await remembered(forum, ana);
        const body = service.subscribe();
        await forum.json('POST', apiRoutes.push, { token: browser.token, body });
        // The browser's new subscription replaces its former one.
        if (i === maxSubscriptions)
          await forum.json('POST', apiRoutes.push, { token: browser.token, body });
        browsers.push(browser);
      }
      const isOn = async (person: Person) =>
        (await site.settingsOf(person)).devices.some(({ isCurrent }) => isCurrent);
      const [first, second, third, fourth] = browsers;
      assert.ok(first && second && third && fourth);
      assert.equal((await site.settingsOf(ana)).devices.length, maxSubscriptions);
      assert.equal(await isOn(first), false);
      assert.equal(await isOn(second), true);
      // Removed by its endpoint; ended with its session; and taken over by another account.
      const { subscription } = await site.subscribed();
      const { endpoint } = subscription;
      const remove = { token: second.token, body: { endpoint } };
      assert.equal((await forum.call('DELETE', apiRoutes.push, remove)).status, 204);
      assert.equal((await site.settingsOf(ana)).devices.length, maxSubscriptions);
      await forum.json('POST', apiRoutes.push, { token: second.token, body: subscription });
      await forum.json('DELETE', apiRoutes.push, remove);
      await forum.json('POST', apiRoutes.signOut, { token: third.token });
      assert.equal((await site.settingsOf(ana)).devices.length, maxSubscriptions - 2);
      const bea = await site.subscribed('Bea');
      await forum.json('POST', apiRoutes.push, { token: fourth.token, body: bea.subscription });
      assert.deepEqual((await site.settingsOf(bea)).devices, []);
    });

    test('two accounts that add the same browser at once both succeed, and the later one has it', async () => {
      const [ana, bea] = [await site.subscribed('Ana'), await site.subscribed('Bea')];
      for (let i = 0; i < 10; i++) {
        const body = site.service.subscribe();
        const add = ({ token }: Person) => site.forum.json('POST', apiRoutes.push, { token, body });
        await Promise.all([add(ana), add(bea)]);
        const devices = [
          ...(await site.settingsOf(ana)).devices,
          ...(await site.settingsOf(bea)).devices,
        ];
        assert.equal(devices.length, 1);
      }
    });
  });
}

describe('push messages', () => {
  let site: Site;
  before(async () => {
    site = await startPushedForum('sqlite');
  });
  after(() => site?.stop());
  beforeEach(async () => {
    site.service.answer = undefined;
    await site.forum.services.db.deleteFrom('push_subscriptions').execute();
    site.service.take();
  });

  test('are not sent about what was read or deleted meanwhile, nor for thanks, nor to people who may not read', async () => {
    const { forum } = site;
    const eva = await staff(forum, 'moderator');
    const reader = await site.subscribed('Lectora');
    const read = await site.answered(reader);
    const other = await site.subscribed('Otra');
    const deleted = await site.answered(other);
    const suspended = await site.subscribed('Suspendida');
    await site.answered(suspended);
    const thanked = await site.subscribed('Agradecida');
    const { _id } = await forum.channel(thanked);
    await forum.comment(thanked, _id, 'Hola');
    await forum.json('PUT', apiRoutes.thanks(_id, 1), { token: other.token });
    const leaving = await site.subscribed('Se va');
    await site.answered(leaving);

    const position = { channelId: read.channelId, number: 2 };
    await forum.json('PUT', apiRoutes.reads, { token: reader.token, body: position });
    const comment = apiRoutes.channelComment(deleted.channelId, 2);
    await forum.json('DELETE', comment, { token: deleted.other.token });
    await decided(forum, eva, { subject: user(suspended), action: 'suspend' });
    await forum.json('DELETE', apiRoutes.me, {
      token: leaving.token,
      body: { currentPassword: leaving.password, content: 'erase' },
    });
    site.wait(hourMs);
    assert.deepEqual(await site.pushed(), []);
    const left = await forum.services.db
      .selectFrom('push_subscriptions')
      .select('account_id')
      .execute();
    assert.deepEqual(
      left.map(({ account_id }) => account_id).sort(),
      [reader.id, other.id, thanked.id].sort(),
    );
  });

  test('wait at night, in the zone of the person, until eight', async () => {
    // Caracas is four hours behind UTC all year.
    const evening = Math.ceil(site.forum.services.now() / dayMs) * dayMs + 2 * hourMs;
    site.setTime(evening);
    const ana = await site.subscribed();
    assert.equal((await site.change(ana, { quietZone: 'America/Caracas' })).status, 200);
    await site.answered(ana);
    site.wait(minuteMs);
    assert.deepEqual(await site.pushed(), []);
    site.setTime(evening + 10 * hourMs - minuteMs);
    assert.deepEqual(await site.pushed(), []);
    site.setTime(evening + 10 * hourMs);
    const [message] = await site.pushed();
    assert.equal(message?.text.title, 'Bea te respondió en Cine');
    // The push service discards it when the next night begins.
    assert.ok(Math.abs(Number(message?.headers.ttl) - 14 * 3600) <= 60);
  });

  test('wait at night in the zone of the community where the server does not know that of the person, and stop no other', async () => {
    await changeSettings(site.forum, { zone: 'America/Caracas' });
    // Two in the night in Caracas, and ten in the morning in Madrid.
    const morning = Math.ceil(site.forum.services.now() / dayMs) * dayMs + 8 * hourMs;
    const [ana, bea] = [await site.subscribed(), await site.subscribed('Bea')];
    await site.change(ana, { quietZone: 'Europe/Madrid' });
    await site.change(bea, { quietZone: 'Europe/Madrid' });
    const { db } = site.forum.services;
    await db
      .updateTable('accounts')
      .set({ zone: 'Marte/Olimpo' })
      .where('id', '=', ana.id)
      .execute();
    site.setTime(morning);
    await site.answered(ana, 'Hola', 'Cine');
    await site.answered(bea, 'Hola', 'Libros', 'Carla');
    site.wait(minuteMs);
    const titles = async () => (await site.pushed()).map(({ text }) => text.title);
    assert.deepEqual(await titles(), ['Carla te respondió en Libros']);
    site.setTime(morning + 4 * hourMs);
    assert.deepEqual(await titles(), ['Bea te respondió en Cine']);
  });

  test('keep the zone when quiet hours are switched off, and take that of the community from a browser that names none', async () => {
    await changeSettings(site.forum, { zone: 'America/Caracas' });
    const ana = await site.subscribed();
    const { db } = site.forum.services;
    const stored = () =>
      db
        .selectFrom('accounts')
        .select(['zone', 'quiet_nights'])
        .where('id', '=', ana.id)
        .executeTakeFirst();
    const quietZone = async () => (await site.settingsOf(ana)).quietZone;
    assert.equal(await quietZone(), null);
    await site.change(ana, { quietZone: 'Europe/Madrid' });
    await site.change(ana, { excerpts: true });
    assert.equal(await quietZone(), 'Europe/Madrid');
    await site.change(ana, { quietZone: null });
    assert.equal(await quietZone(), null);
    assert.deepEqual({ ...(await stored()) }, { zone: 'Europe/Madrid', quiet_nights: 0 });
    await site.change(ana, { quietZone: '' });
    assert.equal(await quietZone(), 'America/Caracas');
  });

  test('fit into what push services accept, on one line each and without direction marks, whatever names and texts contain', async () => {
    const ana = await site.subscribed();
    await site.change(ana, { excerpts: true });
    const family = '👨‍👩‍👧‍👦';
    const wild = wholeCharacters(`<b>"\u202e${`${family}"`.repeat(12)}`, limits.userNameChars);
    const zalgo = `e${'\u0301'.repeat(90)}`.repeat(limits.channelNameChars).slice(0, 90);
    const text = `"<img src=x>\n\u2066${family.repeat(400)}`;
    await site.answered(ana, text, zalgo, wild);
    site.wait(minuteMs);
    const [single] = await site.pushed();
    assert.ok(single && single.encryptedBytes <= 4096);
    assert.match(single.text.body, /^"<img src=x> (?:👨‍👩‍👧‍👦)+…?$/u);
    for (let i = 0; i < 5; i++) await site.answered(ana, text, `${wild}${'"'.repeat(30)}`, wild);
    site.wait(2 * minuteMs);
    const [several] = await site.pushed();
    assert.ok(several && several.encryptedBytes <= 4096);
    assert.equal(several.text.title, '5 avisos');
    assert.match(several.text.body, /^(.+ te respondió en .+\n){3}Y 2 más$/);
    assert.doesNotMatch(several.text.body, /[\u202a-\u202e\p{Surrogate}]/u);
  });

  test('are sent again after a failure of the push service, later if it says so, and given up in the end', async () => {
    const ana = await site.subscribed();
    await site.answered(ana);
    site.wait(minuteMs);
    site.service.answer = (_request, response) =>
      response.writeHead(429, { 'retry-after': '3600' }).end('x'.repeat(5_000_000));
    assert.equal((await site.pushed()).length, 1);
    site.wait(hourMs - minuteMs);
    assert.deepEqual(await site.pushed(), []);
    let tries = 1;
    for (let hour = 0; hour < 24; hour++) {
      site.service.answer = (_request, response) =>
        hour < 12 ? response.writeHead(500).end() : response.destroy();
      site.wait(hourMs);
      tries += (await site.pushed()).length;
    }
    assert.equal(tries, 8);
    site.service.answer = undefined;
    assert.deepEqual(await site.pushed(), []);
    await site.answered(ana, 'Otra', 'Otro canal');
    site.wait(minuteMs);
    const [message] = await site.pushed();
    assert.equal(message?.text.title, 'Bea te respondió en Otro canal');
  });

  test('follow no redirect, and end where the push service no longer knows the browser', async () => {
    const [ana, bea, eva] = [
      await site.subscribed(),
      await site.subscribed(),
      await site.subscribed(),
    ];
    for (const person of [ana, bea, eva]) await site.answered(person);
    site.wait(minuteMs);
    site.service.answer = ({ url }, response) => {
      const endpoint = site.service.origin + url;
      if (endpoint === ana.subscription.endpoint)
        response.writeHead(307, { location: bea.subscription.endpoint }).end();
      else response.writeHead(endpoint === bea.subscription.endpoint ? 410 : 404).end();
    };
    assert.equal((await site.pushed()).length, 3);
    site.service.answer = undefined;
    site.wait(hourMs);
    const [again, ...others] = await site.pushed();
    assert.equal(again?.endpoint, ana.subscription.endpoint);
    assert.deepEqual(others, []);
    assert.equal((await site.settingsOf(ana)).devices.length, 1);
    for (const person of [bea, eva]) assert.deepEqual((await site.settingsOf(person)).devices, []);
  });

  test('that a push service refuses through a fault of the site are sent again to the same subscription, and counted for an alert', async () => {
    const { pushRefusals } = site.forum.services;
    for (const status of [400, 401, 403, 413]) {
      const ana = await site.subscribed();
      await site.answered(ana);
      site.wait(minuteMs);
      const before = pushRefusals.count;
      site.service.answer = (_request, response) => response.writeHead(status).end();
      assert.equal((await site.pushed()).length, 1);
      assert.equal(pushRefusals.count, before + 1);
      assert.equal(pushRefusals.last, `${new URL(site.service.origin).host}, status ${status}`);
      site.service.answer = undefined;
      site.wait(minuteMs);
      const [message] = await site.pushed();
      assert.equal(message?.endpoint, ana.subscription.endpoint);
      assert.equal(message?.text.title, 'Bea te respondió en Cine');
      assert.equal(pushRefusals.count, before + 1);
    }
  });

  test('that a push service does not answer end with the process, and others are sent meanwhile', async () => {
    const [slow, other] = [await site.subscribed(), await site.subscribed()];
    await site.answered(slow);
    await site.answered(other);
    site.wait(minuteMs);
    site.service.answer = ({ url }, response) => {
      if (site.service.origin + url === slow.subscription.endpoint) return;
      response.writeHead(201).end();
    };
    const stopping = new AbortController();
    const running = tellInOneProcess(
      { ...site.forum.services, stopping: stopping.signal },
      { isMailing: false },
    );
    const { db } = site.forum.services;
    await eventually('the other message is recorded as sent', async () => {
      const rows = db.selectFrom('push_subscriptions').select('tries').where('tries', '=', 0);
      return (await rows.execute()).length === 1;
    });
    stopping.abort();
    await running;
    site.service.answer = undefined;
    site.wait(hourMs);
    const again = (await site.pushed()).map(({ endpoint }) => endpoint);
    assert.deepEqual(
      again.sort(),
      [slow, slow, other].map((one) => one.subscription.endpoint),
    );
  });

  test('end with the account, whose export names the browsers without their secrets', async () => {
    const { forum } = site;
    const ana = await site.subscribed();
    const answer = await forum.call('GET', apiRoutes.export, { token: ana.token });
    const files = readZip(Buffer.from(await answer.arrayBuffer()));
    const [browser] = rowsIn(files, 'navegadores.jsonl');
    const [pushed] = rowsIn(files, 'avisos-en-navegadores.jsonl');
    assert.equal(pushed?.deviceId, browser?.id);
    const { endpoint, keys } = ana.subscription;
    for (const secret of [endpoint, keys.auth, keys.p256dh])
      assert.ok(![...files.values()].some((file) => file.includes(secret)));
    await operate(forum, 'erase-account', '--now', ana.email);
    await eraseDueAccounts(forum.services);
    const left = forum.services.db.selectFrom('push_subscriptions').select('account_id');
    assert.deepEqual(await left.execute(), []);
  });

  test('are refused to a browser that is not remembered, for other addresses and with false keys', async () => {
    const { forum, service } = site;
    const ana = await forum.person();
    const body = service.subscribe();
    const post = (token: string, changed: object = {}) =>
      forum.call('POST', apiRoutes.push, { token, body: { ...body, ...changed } });
    await expectProblem(await post(ana.token), 403, 'browser_not_remembered');
    const { token } = await remembered(forum, ana);
    const refused = async (changed: object, field: string) => {
      const { errors } = await expectProblem(await post(token, changed), 400, 'invalid_fields');
      assert.deepEqual(
        errors?.map((error) => error.field),
        [field],
      );
    };
    await refused({ endpoint: 'http://127.0.0.1:1/push/1' }, 'endpoint');
    await refused({ endpoint: 'nada' }, 'endpoint');
    const { auth, p256dh } = body.keys;
    await refused({ keys: { auth, p256dh: `${p256dh.slice(0, -2)}AA` } }, 'keys');
    await refused({ keys: { auth: 'AAAA', p256dh } }, 'keys');
    for (const quietZone of ['Marte/Olimpo', '+01:00'])
      await expectProblem(await site.change(ana, { quietZone }), 400, 'invalid_fields');
    assert.deepEqual((await site.settingsOf(ana)).devices, []);
  });
});
