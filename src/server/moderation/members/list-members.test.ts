import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { insertPendingPost } from '../../../../test/forum/insert-pending-post.ts';
import { decided, staff, user } from '../../../../test/forum/moderators.ts';
import { operate } from '../../../../test/forum/operator.ts';
import type { User } from '../../../shared/accounts.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { MemberList } from '../../../shared/moderation.ts';
import { withQuery } from '../../../shared/routes.ts';
import { eraseDueAccounts } from '../../privacy/erasure/erase-account.ts';
import { dayMs } from '../../system/times.ts';

onBothEngines('the list of members', (forum, wait, engine) => {
  const list = (
    { token }: Person,
    query: { q?: string; unapproved?: 1; after?: string | null } = {},
  ) => forum().json<MemberList>('GET', withQuery(apiRoutes.members, query), { token });
  const ask = async (name: string): Promise<User> => {
    await changeSettings(forum(), { registration: 'request' });
    const body = { name, email: `${crypto.randomUUID()}@ejemplo.es`, password: 'clave larga' };
    const account = await forum().json<User>('POST', apiRoutes.signUp, { body });
    await changeSettings(forum(), { registration: 'open' });
    return account;
  };

  test('is newest first, and has the decisions about each member but no addresses', async () => {
    const eva = await staff(forum());
    const named = async (name: string, draft?: { action: string; days?: number }) => {
      const person = await forum().person(name);
      if (draft) await decided(forum(), eva, { subject: user(person), ...draft });
      return person;
    };
    await named('Ana');
    await named('Silenciada un día', { action: 'silence', days: 1 });
    await named('Silenciada dos días', { action: 'silence', days: 2 });
    await named('Suspendida', { action: 'suspend' });
    await named('Oculta', { action: 'hideAll' });
    await operate(forum(), 'disable', (await named('Desactivada')).email);
    await ask('Quien espera');
    const refused = await ask('Rechazada');
    await decided(forum(), eva, { subject: user(refused), action: 'reject' });
    const leaving = await forum().person('Se va');
    const body = { currentPassword: leaving.password, content: 'erase' };
    await forum().json('DELETE', apiRoutes.me, { token: leaving.token, body });
    const states = async () =>
      (await list(eva)).data.map(({ name, role, state }) => [name, role, state].join(' · '));
    const before = ['Silenciada un día · member · active', 'Ana · member · active'];
    const shown = [
      'Quien espera · member · waiting',
      'Desactivada · member · suspended',
      'Oculta · member · hidden',
      'Suspendida · member · suspended',
      'Silenciada dos días · member · silenced',
    ];
    assert.deepEqual(await states(), [
      'Se va · member · active',
      ...shown,
      'Silenciada un día · member · silenced',
      'Ana · member · active',
      'Eva · moderator · active',
    ]);
    wait(1.5 * dayMs);
    assert.deepEqual((await states()).slice(1, -1), [...shown, ...before]);
    await eraseDueAccounts({ ...forum().services, now: () => forum().services.now() + 15 * dayMs });
    assert.deepEqual(await states(), [...shown, ...before, 'Eva · moderator · active']);

    const fields = ['beginning', 'createdAt', 'id', 'img', 'name', 'role', 'state'];
    for (const one of (await list(eva)).data) assert.deepEqual(Object.keys(one).sort(), fields);
    assert.ok(!JSON.stringify(await list(eva)).includes('@'));
  });

  test('has the beginning of what each one wrote last or has waiting; those that nobody has approved can be asked for alone', async () => {
    const [eva, ana] = [await staff(forum()), await forum().person('Ana')];
    const { _id } = await forum().channel(ana);
    for (const text of ['Uno', 'Dos']) await forum().comment(ana, _id, text);
    const berta = await forum().person('Berta');
    await insertPendingPost(forum(), berta, _id);
    await forum().person('Quien calla');
    const hidden = await forum().person('Oculta');
    await decided(forum(), eva, { subject: user(hidden), action: 'hideAll' });
    const approved = await ask('Aceptada');
    await decided(forum(), eva, { subject: user(approved), action: 'approve' });
    const newest = async (count: number, query: { q?: string; unapproved?: 1 }) =>
      (await list(eva, query)).data.slice(0, count).map(({ name, beginning }) => [name, beginning]);
    const unapproved = [
      ['Quien calla', ''],
      ['Berta', 'Hola'],
      ['Ana', 'Dos'],
    ];
    const others = [
      ['Aceptada', ''],
      ['Oculta', ''],
    ];
    assert.deepEqual(await newest(6, {}), [...others, ...unapproved, ['Eva', '']]);
    assert.deepEqual(await newest(3, { unapproved: 1 }), unapproved);
    assert.deepEqual(await newest(3, { unapproved: 1, q: 'be' }), [['Berta', 'Hola']]);
    const all = (await list(eva, { unapproved: 1 })).data;
    assert.ok(!all.some(({ role, state }) => role !== 'member' || state === 'hidden'));
  });

  // The searched words are queried in the same way on both engines.
  if (engine === 'postgres') return;

  test('finds the beginning of any word of a name, page by page', async () => {
    const eva = await staff(forum());
    const names = Array.from({ length: 53 }, (_, index) => `Íñigo ${index}`);
    for (const name of names) await forum().person(name);
    await forum().person('Uxía Pérez-Zabála');
    const found: string[][] = [];
    let after: string | null | undefined;
    while (after !== null) {
      const page = await list(eva, { q: 'INI', ...(after && { after }) });
      found.push(page.data.map(({ name }) => name));
      after = page.next;
    }
    assert.deepEqual(
      found.map(({ length }) => length),
      [50, 3],
    );
    assert.deepEqual(found.flat(), names.toReversed());
    const namesOf = async (q: string) => (await list(eva, { q })).data.map(({ name }) => name);
    for (const q of ['zab', ' UXIA pe', 'pérez-za'])
      assert.deepEqual(await namesOf(q), ['Uxía Pérez-Zabála'], q);
    for (const q of ['abala', 'zabala uxía', '%', '_']) assert.deepEqual(await namesOf(q), [], q);
  });
});
