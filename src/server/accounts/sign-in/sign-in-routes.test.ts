import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import type { Profile, User } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';

const valid = { name: 'Íñigo', email: 'inigo@ejemplo.es', password: 'x' };

onEngine('sqlite', 'accounts', (forum) => {
  const signUp = (body: unknown) => forum().call('POST', apiRoutes.signUp, { body });

  test('signing up responds 201 with the trimmed user and no secret', async () => {
    const response = await signUp({ ...valid, name: ' Íñigo ' });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('cache-control'), 'private, no-store');
    const user = (await response.json()) as User;
    assert.deepEqual(Object.keys(user).sort(), ['email', 'id', 'img', 'name']);
    assert.deepEqual([user.name, user.img], ['Íñigo', null]);
    const img = '/default-avatar.svg';
    const other = await signUp({ ...valid, email: 'con-foto', img });
    assert.equal(((await other.json()) as User).img, img);
  });

  test('an e-mail is stored, taken and found without invisible characters that were pasted with it', async () => {
    const email = 'pegada@ejemplo.es';
    const pasted = ['\u200b', '\u202a', '\u2060', '\u00ad', '\u180e\ufe0f'].map((invisible) =>
      [invisible, ...email, invisible].join(invisible),
    );
    const signedUp = await signUp({ ...valid, email: pasted[0] });
    assert.equal(((await signedUp.json()) as User).email, email);
    for (const one of pasted) {
      await expectProblem(await signUp({ ...valid, email: one }), 409, 'email_taken');
      assert.equal((await forum().signIn(one, valid.password)).status, 200);
    }
    const empty = await expectProblem(
      await signUp({ ...valid, email: '\u200b\u00ad\u2060' }),
      400,
      'invalid_fields',
    );
    assert.match(empty.errors?.[0]?.message ?? '', /no puede quedar vacío/);
  });

  test('nobody can take the name that erased accounts are shown with', async () => {
    const person = await forum().person();
    for (const name of ['cuenta eliminada', ' CUENTA ELIMINADÁ ']) {
      await expectProblem(await signUp({ ...valid, name }), 400, 'invalid_fields');
    }
    const body = { name: 'Cuenta eliminada', currentPassword: person.password };
    const renamed = await forum().call('PATCH', apiRoutes.me, { body, token: person.token });
    const { errors } = await expectProblem(renamed, 400, 'invalid_fields');
    assert.deepEqual(
      errors?.map(({ field }) => field),
      ['name'],
    );
  });

  test('signing in returns a token and the user, ignoring the case of the e-mail', async () => {
    await signUp({ ...valid, email: 'Noa@ejemplo.es', password: 'con:dos:puntos y ñ' });
    const response = await forum().signIn('NOA@ejemplo.es', 'con:dos:puntos y ñ');
    assert.equal(response.status, 200);
    const { token, user } = (await response.json()) as { token: string; user: User };
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(user.email, 'Noa@ejemplo.es');
  });

  test('a request without a body can have a content type', async () => {
    const person = await forum().person();
    const basic = Buffer.from(`${person.email}:${person.password}`).toString('base64');
    const headers = { 'content-type': 'application/json', authorization: `Basic ${basic}` };
    assert.equal((await forum().call('POST', apiRoutes.signIn, { headers })).status, 200);
    const out = { 'content-type': 'application/json' };
    const { token } = person;
    const ended = await forum().call('POST', apiRoutes.signOut, { token, headers: out });
    assert.equal(ended.status, 204);
  });

  test('a password typed in decomposed Unicode opens the same account', async () => {
    await signUp({ ...valid, email: 'nfd@ejemplo.es', password: 'contrase\u00f1a' });
    assert.equal((await forum().signIn('nfd@ejemplo.es', 'contrasen\u0303a')).status, 200);
  });

  test('a wrong password, an unknown e-mail and an invalid header get the same response', async () => {
    await signUp({ ...valid, email: 'tomas@ejemplo.es' });
    const broken = (authorization: string) =>
      forum().call('POST', apiRoutes.signIn, { headers: { authorization } });
    const responses = [
      await forum().signIn('tomas@ejemplo.es', 'mal'),
      await forum().signIn('nadie@ejemplo.es', 'mal'),
      await forum().signIn('na\0die@ejemplo.es', 'mal'),
      await forum().call('POST', apiRoutes.signIn),
      await broken('Basic ???'),
      await broken(`Basic ${Buffer.from('sin dos puntos').toString('base64')}`),
      await broken(`Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`),
    ];
    for (const response of responses) {
      assert.equal(response.headers.get('www-authenticate'), null);
      const problem = await expectProblem(response, 401, 'wrong_credentials');
      assert.equal(
        problem.detail,
        'Los datos suministrados no son correctos, verifica tus datos y vuelve a intentar',
      );
    }
  });

  test('the profile counts the channels of its owner only', async () => {
    const person = await forum().person();
    await forum().channel(person);
    await forum().channel(person);
    await forum().channel(await forum().person());
    const profile = await forum().json<Profile>('GET', apiRoutes.me, { token: person.token });
    assert.equal(profile.channelCount, 2);
    assert.equal(profile.name, person.name);
  });

  test('a new image appears on all channels and comments of the account', async () => {
    const person = await forum().person();
    const channel = await forum().channel(person);
    await forum().comment(person, channel._id, 'Hola');
    const img = 'https://ejemplo.es/yo.png';
    const user = await forum().json<User>('PUT', apiRoutes.updateImage, {
      token: person.token,
      body: { id: person.id, email: person.email.toUpperCase(), img },
    });
    assert.equal(user.img, img);
    const read = await forum().json<typeof channel>('GET', apiRoutes.channel(channel._id));
    assert.equal(read.autorImg, img);
    assert.equal(read.comments[0]?.autorImg, img);
    const { email } = await forum().person('Tomás');
    const body = { email, img: '/default-avatar.svg' };
    const ofOther = await forum().call('PUT', apiRoutes.updateImage, { token: person.token, body });
    await expectProblem(ofOther, 403, 'not_yours');
  });
});

// On SQLite, transactions run one after the other.
onEngine('postgres', 'accounts', (forum) => {
  test('only one of ten concurrent sign-ups with the same e-mail succeeds', async () => {
    const signUps = Array.from({ length: 10 }, (_, i) => {
      const body = { ...valid, email: i % 2 ? 'CARRERA@ejemplo.es' : 'carrera@ejemplo.es' };
      return forum().call('POST', apiRoutes.signUp, { body });
    });
    const statuses = (await Promise.all(signUps)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [201, ...Array(9).fill(409)]);
  });
});

describe('sessions', () => {
  test('a token expires SESSION_DAYS after it was last used', async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const dayMs = 86_400_000;
    await using forum = await Forum.start('sqlite', { SESSION_DAYS: '3' }, { now: () => nowMs });
    const person = await forum.person();
    const me = async () => (await forum.call('GET', apiRoutes.me, { token: person.token })).status;
    nowMs += 2 * dayMs;
    assert.equal(await me(), 200);
    nowMs += 2 * dayMs;
    assert.equal(await me(), 200);
    nowMs += 3 * dayMs;
    assert.equal(await me(), 401);
  });
});
