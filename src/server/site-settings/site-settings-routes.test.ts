import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../test/eventually.ts';
import { onEngine } from '../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../test/forum/change-settings.ts';
import { expectProblem, Forum, type Person } from '../../../test/forum/forum.ts';
import { staff } from '../../../test/forum/moderators.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { pageRoutes } from '../../shared/routes.ts';
import type { Rules, SavedSettings } from '../../shared/site-settings.ts';
import { buildDate, buildName } from '../system/version.ts';

onEngine('sqlite', 'the settings of the community', (forum) => {
  const read = ({ token }: Person) =>
    forum().json<SavedSettings>('GET', apiRoutes.siteSettings, { token });
  const save = ({ token }: Person, revision: number | string, body: object) =>
    forum().call('PATCH', apiRoutes.siteSettings, {
      token,
      headers: { 'if-match': typeof revision === 'number' ? `"${revision}"` : revision },
      body,
    });
  const links = ['Uno', 'Dos', 'Tres'].map((label) => ({ label, href: 'https://ejemplo.es/' }));

  test('are in force at once on all pages and in the rules', async () => {
    const page = async (path: string) => (await forum().call('GET', path)).text();
    assert.match(await page(pageRoutes.home), /<title>tertulia<\/title>/);
    const rules = 'Aquí nos tratamos bien.\n\nhttps://ejemplo.es';
    await changeSettings(forum(), {
      name: 'La <b>plaza</b>',
      welcome: 'Pasa y siéntate',
      rules,
      contact: 'Marta',
      links,
    });
    const home = await page(pageRoutes.home);
    assert.match(home, /og:site_name" content="La &lt;b&gt;plaza&lt;\/b&gt;"/);
    assert.match(home, /"welcome":"Pasa y siéntate"/);
    assert.match(home, /"label":"Dos"/);
    assert.doesNotMatch(home, /<b>plaza/);
    const answer = await forum().json<Rules>('GET', apiRoutes.rules);
    assert.deepEqual([answer.rules, answer.contact], [rules, 'Marta']);
    assert.match(await page(pageRoutes.rules), /Aquí nos tratamos bien/);
    const ada = await staff(forum(), 'admin');
    assert.equal((await save(ada, (await read(ada)).revision, { rules: '' })).status, 200);
    assert.equal((await forum().json<Rules>('GET', apiRoutes.rules)).rules, '');
    assert.equal((await read(await staff(forum()))).name, 'La <b>plaza</b>');
  });

  test('say to admins, and not to moderators, which version serves them and whether there is a newer one', async () => {
    const [eva, ada] = [await staff(forum()), await staff(forum(), 'admin')];
    const { releases } = forum().services;
    assert.equal((await read(eva)).build, undefined);
    assert.deepEqual((await read(ada)).build, {
      name: buildName(),
      madeAt: buildDate() ?? null,
      isOld: false,
      newer: null,
    });
    const newest = { title: 'Otra', url: 'https://git.example/9', at: '2100-01-01T00:00:00.000Z' };
    releases.newest = newest;
    assert.deepEqual((await read(ada)).build?.newer, newest);
    const [version] = buildName().split('+');
    for (const entry of [
      { ...newest, at: '2026-01-01T00:00:00.000Z' },
      { ...newest, title: `tertulia v${version}` },
      { ...newest, url: `https://git.example/releases/tertulia-${version}.html` },
    ]) {
      releases.newest = entry;
      assert.equal((await read(ada)).build?.newer, null);
    }
    releases.newest = { ...newest, title: `tertulia 1${version}, ${version}.1, ${version}-rc` };
    assert.ok((await read(ada)).build?.newer);
    releases.newest = undefined;
  });

  test('are changed by admins, in one row, whose revision a change must know', async () => {
    const [eva, ada] = [await staff(forum()), await staff(forum(), 'admin')];
    const { revision } = await read(eva);
    for (const name of ['Otro', 7])
      await expectProblem(await save(eva, revision, { name }), 403, 'staff_only');
    assert.equal((await save(ada, revision, { name: 'Otro', welcome: 'Hola' })).status, 200);
    assert.equal((await save(ada, revision + 1, { name: 'Otro más' })).status, 200);
    // A repeat, as after a lost response.
    assert.equal((await save(ada, revision + 1, { name: ' Otro más' })).status, 200);
    const now = await read(eva);
    assert.deepEqual([now.name, now.welcome, now.revision], ['Otro más', 'Hola', revision + 2]);
    const { rows } = await sql`select * from site_settings`.execute(forum().services.db);
    assert.equal(rows.length, 1);
    await expectProblem(await save(ada, revision, { name: '' }), 412, 'edit_conflict');
    await expectProblem(await save(ada, '*', { name: 'x' }), 428, 'revision_required');
    const blind = { ...ada, body: {} };
    const refused = await forum().call('PATCH', apiRoutes.siteSettings, blind);
    await expectProblem(refused, 428, 'revision_required');
  });

  test('are decided once they are saved, also as they were; admins are told what else is done', async () => {
    const [eva, ada] = [await staff(forum()), await staff(forum(), 'admin')];
    const { db } = forum().services;
    await db.deleteFrom('site_settings').execute();
    const { decided, done, revision } = await read(ada);
    assert.deepEqual([decided, revision], [[], 0]);
    assert.deepEqual(done, {
      ...{ invitation: false, moderator: true, isOneAdminAlone: false },
      ...{ backup: false, mail: false },
    });
    assert.equal((await read(eva)).done, undefined);
    assert.equal((await save(ada, 0, { readers: 'everyone' })).status, 200);
    assert.equal((await save(ada, 0, { readers: 'everyone' })).status, 200);
    await forum().json('POST', apiRoutes.invitations, { token: ada.token, body: {} });
    const now = await read(ada);
    assert.deepEqual([now.decided, now.revision, now.registration], [['readers'], 1, 'open']);
    assert.equal(now.done?.invitation, true);
    await db.updateTable('accounts').set({ role: 'member' }).where('id', '!=', ada.id).execute();
    assert.equal((await read(ada)).done?.moderator, false);
  });

  test('have the zone of the community, in its usual spelling, if the server knows it', async () => {
    const ada = await staff(forum(), 'admin');
    const saved = async (zone: string) => {
      const { revision } = await read(ada);
      return save(ada, revision, { zone });
    };
    assert.equal((await saved(' europe/madrid ')).status, 200);
    assert.equal((await read(ada)).zone, 'Europe/Madrid');
    for (const zone of ['Marte/Olimpo', '+01:00', 'Europa']) {
      const { errors } = await expectProblem(await saved(zone), 400, 'invalid_fields');
      assert.deepEqual(
        errors?.map(({ field }) => field),
        ['zone'],
      );
    }
    assert.equal((await read(ada)).zone, 'Europe/Madrid');
    const audited = await forum()
      .services.db.selectFrom('audit_log')
      .select('action')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    assert.equal(audited?.action, 'change-settings');
    assert.equal((await saved('')).status, 200);
    assert.equal((await read(ada)).zone, '');
  });

  test('are stored with a name that has no line breaks and direction marks', async () => {
    const ada = await staff(forum(), 'admin');
    const { revision } = await read(ada);
    const saved = await save(ada, revision, { name: '  \u202eLa\nplaza\u2066 ' });
    assert.equal(((await saved.json()) as SavedSettings).name.trim(), 'La plaza');
  });
});

test('a change is in force at once on all processes, and one of two changes at once is saved', async () => {
  await using forum = await Forum.start('postgres');
  await using other = await forum.another();
  await eventually('both listen', async () =>
    [forum, other].every(({ services }) => services.live.isListening),
  );
  const ada = await staff(forum, 'admin');
  const nameAt = async (one: Forum, path: string) =>
    /og:site_name" content="([^"]*)"/.exec(await (await one.call('GET', path)).text())?.[1];
  for (const path of [pageRoutes.home, pageRoutes.login, pageRoutes.rules]) {
    assert.equal(await nameAt(other, path), 'tertulia', path);
  }
  await forum.json('PATCH', apiRoutes.siteSettings, {
    token: ada.token,
    headers: { 'if-match': '"0"' },
    body: { name: 'La plaza', rules: 'Con calma' },
  });
  for (const path of [pageRoutes.home, pageRoutes.login, pageRoutes.rules]) {
    assert.equal(await nameAt(forum, path), 'La plaza', path);
    await eventually(path, async () => (await nameAt(other, path)) === 'La plaza');
  }
  assert.equal((await other.json<Rules>('GET', apiRoutes.rules)).rules, 'Con calma');
  const tries = [forum, other].map((one, index) =>
    one.call('PATCH', apiRoutes.siteSettings, {
      token: ada.token,
      headers: { 'if-match': '"1"' },
      body: { name: `De ${index}` },
    }),
  );
  assert.deepEqual((await Promise.all(tries)).map(({ status }) => status).sort(), [200, 412]);
});

test('the environment overrides the settings, which say so', async () => {
  const given = 'A=https://a.example,B=https://b.example,C=https://c.example';
  const forum = await Forum.start('sqlite', { CONTACT: 'hola@foro.example', SOCIAL_LINKS: given });
  try {
    await changeSettings(forum, {
      contact: 'Marta',
      links: ['Uno', 'Dos', 'Tres'].map((label) => ({ label, href: 'https://ejemplo.es/' })),
    });
    const saved = await forum.json<SavedSettings>(
      'GET',
      apiRoutes.siteSettings,
      await staff(forum),
    );
    assert.deepEqual(saved.fixed, ['contact', 'links']);
    assert.deepEqual([saved.contact, saved.links[0]?.label], ['hola@foro.example', 'A']);
    const home = await (await forum.call('GET', pageRoutes.home)).text();
    assert.match(home, /https:\/\/a\.example/);
    assert.doesNotMatch(home, /"label":"Uno"/);
    assert.equal((await forum.json<Rules>('GET', apiRoutes.rules)).contact, 'hola@foro.example');
  } finally {
    await forum.stop();
  }
});
