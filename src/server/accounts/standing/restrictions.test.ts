import assert from 'node:assert/strict';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, type Person, uploadMetadata } from '../../../../test/forum/forum.ts';
import { decided, staff, undone, user } from '../../../../test/forum/moderators.ts';
import { PasskeyDevice } from '../../../../test/forum/passkey-device.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import { bulkyImage, TusUpload } from '../../../../test/forum/tus-upload.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { problems } from '../../../shared/errors.ts';
import type { PasskeyCreation, PasskeyRequest } from '../../../shared/passkeys.ts';
import type { News } from '../../../shared/people.ts';
import { uploadFolder } from '../../images/uploads/upload-folder.ts';
import { dayMs } from '../../system/times.ts';
import { lockOpenAccount } from './open-account.ts';

onEngine('sqlite', 'a restricted account', (forum) => {
  const tus = { 'tus-resumable': '1.0.0' };

  /** Every request by which a person publishes something. */
  async function writesOf(person: Person) {
    const { token } = person;
    const other = await forum().person();
    const { _id } = await forum().channel(other);
    await forum().comment(other, _id, 'Hola');
    await forum().comment(person, _id, 'Hola');
    await forum().comment(person, _id, 'Adiós');
    await forum().json('DELETE', apiRoutes.channelComment(_id, 3), { token });
    const own = await forum().channel(person);
    const deleted = await forum().channel(person);
    await forum().json('DELETE', apiRoutes.channel(deleted._id), { token });
    const channel = { name: 'Cine', description: 'd', cover: '/default-avatar.svg' };
    const png = await quarters(320, 160).png().toBuffer();
    const send = (method: string, url: string, body?: unknown) => () =>
      forum().call(method, url, {
        token,
        headers: { 'if-match': '"1"' },
        ...(body === undefined ? {} : { body }),
      });
    return {
      comment: send('PUT', apiRoutes.comment, { id: _id, comment: 'Tarde' }),
      edit: send('PATCH', apiRoutes.channelComment(_id, 2), { comment: 'Hola a todos' }),
      restore: send('POST', apiRoutes.restoreComment(_id, 3)),
      thanks: send('PUT', apiRoutes.thanks(_id, 1)),
      channel: send('POST', apiRoutes.channels, channel),
      editChannel: send('PATCH', apiRoutes.channel(own._id), { description: 'Otra' }),
      close: send('POST', apiRoutes.closeChannel(own._id)),
      reopen: send('POST', apiRoutes.reopenChannel(own._id)),
      restoreChannel: send('POST', apiRoutes.restoreChannel(deleted._id)),
      avatar: send('PUT', apiRoutes.updateImage, { id: person.id, img: '' }),
      name: send('PATCH', apiRoutes.me, { currentPassword: person.password, name: 'Otra' }),
      position: send('PUT', apiRoutes.reads, { channelId: _id, number: 1 }),
      image: () => forum().upload(person, png, { use: 'comment' }),
    };
  }

  /** The rows of an account in each table that it writes to. */
  const storedBy = ({ id }: Person) =>
    Promise.all(
      (['comments', 'channels', 'comment_thanks', 'reading_positions', 'images'] as const).map(
        (table) =>
          forum()
            .services.db.selectFrom(table as 'comments')
            .selectAll()
            .where('account_id', '=', id)
            .execute(),
      ),
    );
  const mark = ({ id }: Person, column: 'erased_at_ms' | 'disabled_at_ms', atMs: number | null) =>
    forum().services.db.updateTable('accounts').set(column, atMs).where('id', '=', id).execute();
  const silenced = async (person: Person) => {
    const moderator = await staff(forum());
    const draft = { subject: user(person), action: 'silence', days: 1 };
    const decision = await decided(forum(), moderator, draft);
    return () => undone(forum(), moderator, decision);
  };
  const ends = {
    silenced: { code: 'silenced', end: silenced },
    erased: {
      code: 'not_signed_in',
      async end(person: Person) {
        await mark(person, 'erased_at_ms', 1);
        return () => mark(person, 'erased_at_ms', null);
      },
    },
    disabled: {
      code: 'not_signed_in',
      async end(person: Person) {
        await mark(person, 'disabled_at_ms', 1);
        return () => mark(person, 'disabled_at_ms', null);
      },
    },
  } as const;

  for (const [state, { code, end }] of Object.entries(ends))
    test(`publishes nothing once it is ${state}, even if that happens after its session was checked`, async () => {
      const person = await forum().person();
      const { position, ...publishing } = await writesOf(person);
      const writes = state === 'silenced' ? publishing : { ...publishing, position };
      const before = await storedBy(person);
      const { services } = forum();
      const { withTransaction, images } = services;
      const write = images.write.bind(images);
      for (const [name, send] of Object.entries(writes)) {
        let ended: ReturnType<typeof end> | undefined;
        const endOnce = async () => {
          services.withTransaction = withTransaction;
          ended ??= end(person);
          await ended;
        };
        services.withTransaction = async (lockKey, work) => {
          await endOnce();
          return withTransaction(lockKey, work);
        };
        images.write = async (...object) => {
          await endOnce();
          return write(...object);
        };
        const response = await send().finally(() => {
          services.withTransaction = withTransaction;
          images.write = write;
        });
        assert.ok(ended, name);
        await expectProblem(response, problems[code].status, code);
        assert.equal((await send()).status, problems[code].status, `${name} again`);
        await (await ended)();
      }
      assert.deepEqual(await storedBy(person), before);
      const again = await end(person);
      const opened = await withTransaction('sign-in', (trx) =>
        lockOpenAccount(trx, 'id', person.id),
      );
      assert.equal(opened !== undefined, state === 'silenced', 'may sign in');
      await again();
      for (const [name, send] of Object.entries(writes)) {
        const response = await send();
        assert.ok(response.ok, `${name}: ${await response.text()}`);
      }
      assert.notDeepEqual(await storedBy(person), before);
    });

  test('can delete and read while it is silenced', async () => {
    const [eva, person, other] = [
      await staff(forum()),
      await forum().person(),
      await forum().person(),
    ];
    const { token } = person;
    const { _id } = await forum().channel(other);
    await forum().comment(person, _id, 'Hola');
    await decided(forum(), eva, { subject: user(person), action: 'silence', days: 1 });
    for (const [method, url] of [
      ['GET', apiRoutes.trash],
      ['GET', `${apiRoutes.news}?channels=${_id}`],
      ['DELETE', apiRoutes.channelComment(_id, 1)],
    ] as const)
      assert.ok((await forum().call(method, url, { token })).ok, url);
  });

  test('can sign in while it is suspended, see its own data and leave, and nothing else', async () => {
    const [eva, person] = [await staff(forum()), await forum().person()];
    const browser = new RememberedBrowser(forum());
    await browser.signIn(person);
    const created = await forum().call('POST', apiRoutes.uploads, {
      token: person.token,
      headers: {
        ...tus,
        'upload-length': '100',
        'upload-metadata': uploadMetadata({ filename: 'a.png', use: 'cover' }),
      },
    });
    const upload = created.headers.get('location') ?? '';
    const suspended = await decided(forum(), eva, { subject: user(person), action: 'suspend' });
    const part = await forum().call('PATCH', upload, {
      token: person.token,
      headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
      body: 'x',
    });
    await expectProblem(part, 403, 'suspended');
    const { token } = await forum().newSession(person);
    for (const each of [person.token, token, await browser.resumed()]) {
      assert.equal((await forum().call('GET', apiRoutes.me, { token: each })).status, 200);
      const notifications = await forum().call('GET', apiRoutes.notifications, { token: each });
      await expectProblem(notifications, 403, 'suspended');
    }
    const change = (email: string) =>
      forum().call('PATCH', apiRoutes.me, {
        token,
        body: { currentPassword: person.password, email },
      });
    await expectProblem(await change('otra@ejemplo.es'), 403, 'suspended');
    assert.equal((await change(person.email)).status, 200);
    const body = { currentPassword: person.password, content: 'erase' };
    assert.equal((await forum().call('DELETE', apiRoutes.me, { token, body })).status, 202);
    assert.equal((await forum().call('POST', apiRoutes.restoreMe, { token })).status, 204);
    await undone(forum(), eva, suspended);
    assert.equal((await forum().call('GET', apiRoutes.trash, { token })).status, 200);
  });

  test('loses its running upload, and gains nothing by its passkey, once it is suspended', async () => {
    const [eva, person] = [await staff(forum()), await forum().person()];
    const { url, services } = forum();
    const { token, password } = person;
    const origin = url.replace('127.0.0.1', 'localhost');
    const send = <T>(path: string, body?: object) =>
      forum().json<T>('POST', new URL(path, origin).href, { token, ...(body && { body }) });
    const device = new PasskeyDevice(origin);
    const created = await send<PasskeyCreation>(apiRoutes.passkeyOptions, {
      currentPassword: password,
    });
    await send(apiRoutes.passkeys, { name: 'Móvil', credential: device.create(created) });

    const bytes = await bulkyImage();
    const upload = await TusUpload.begin(url, person, bytes.length);
    const half = bytes.length / 2;
    const request = upload.stall(url, 0, bytes.subarray(0, half), bytes.length);
    const responding = once(request, 'response') as Promise<[IncomingMessage]>;
    const begun = async () => {
      const { size } = await stat(path.join(uploadFolder(services.config), upload.id));
      return size > 0;
    };
    await eventually('the upload is under way', begun);
    await decided(forum(), eva, { subject: user(person), action: 'suspend' });
    request.end(bytes.subarray(half));
    const [response] = await responding;
    const { code } = (await json(response)) as { code: string };
    assert.deepEqual([response.statusCode, code], [403, 'suspended']);
    const images = services.db
      .selectFrom('images')
      .select('url')
      .where('account_id', '=', person.id);
    assert.deepEqual(await images.execute(), []);

    const credential = device.use(await send<PasskeyRequest>(apiRoutes.passkeySignInOptions));
    const again = await send<{ token: string }>(apiRoutes.passkeySignIn, { credential });
    const trash = await forum().call('GET', apiRoutes.trash, { token: again.token });
    await expectProblem(trash, 403, 'suspended');
  });

  test('is told by the news what keeps it from writing, and until when', async () => {
    const news = ({ token }: Person) =>
      forum().json<News>('GET', `${apiRoutes.news}?channels=`, { token });
    const [eva, ana] = [await staff(forum()), await forum().person('Ana')];
    assert.equal((await news(ana)).restriction, null);
    const silenced = await decided(forum(), eva, {
      subject: user(ana),
      action: 'silence',
      days: 1,
    });
    const { until, ...restriction } = (await news(ana)).restriction ?? {};
    assert.deepEqual(restriction, { state: 'silenced', decision: silenced.id });
    assert.equal(Math.round((Date.parse(until ?? '') - forum().services.now()) / dayMs), 1);
    const hidden = await decided(forum(), eva, { subject: user(ana), action: 'hideAll' });
    assert.deepEqual((await news(ana)).restriction, {
      state: 'hidden',
      until: null,
      decision: hidden.id,
    });
    const suspended = await decided(forum(), eva, { subject: user(ana), action: 'suspend' });
    assert.deepEqual(await news(ana), {
      role: 'member',
      unreadNotifications: 0,
      pendingModeration: 0,
      reads: {},
      newChannels: [],
      acknowledged: [],
      follow: 'mine',
      reviewsNext: false,
      hasPending: false,
      hasHidden: false,
      restriction: { state: 'suspended', until: null, decision: suspended.id },
    });
    const refused = await forum().call('GET', apiRoutes.notifications, { token: ana.token });
    await expectProblem(refused, 403, 'suspended');
  });
});
