import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type {
  ImportedPeople,
  ImportedPerson,
  NewPersonLink,
  PersonLink,
} from '../../src/shared/imported-people.ts';
import type { Forum, Person } from '../forum/forum.ts';

/** Makes an author's channel the one of a chat that moved in, and its comments those of a person without an account. */
export async function insertImported(
  forum: Forum,
  channelId: string,
  accountId: string,
  name = 'Zenobia',
): Promise<string> {
  const { db } = forum.services;
  const id = randomUUID();
  await db
    .insertInto('accounts')
    .values({
      ...{ id, name, name_key: null, email: '', email_key: null, password_hash: '', img: null },
      ...{ created_at_ms: 1, disabled_at_ms: 1, admission: 'imported' },
    })
    .execute();
  await db
    .insertInto('imports')
    .values({
      ...{ channel_id: channelId, account_id: accountId, state: 'done', plan: '' },
      ...{ zone: 'Europe/Madrid', source_key: '', left_out: '{"older":0,"images":0,"files":0}' },
      ...{ started_at_ms: 1, changed_at_ms: 1 },
    })
    .execute();
  await db
    .insertInto('imported_people')
    .values({ channel_id: channelId, source_hash: id, account_id: id })
    .execute();
  await db
    .updateTable('comments')
    .set({ account_id: id, person_id: id })
    .where('channel_id', '=', channelId)
    .execute();
  return id;
}

export async function findImported(
  forum: Forum,
  { token }: Person,
  channelId: string,
  name: string,
): Promise<ImportedPerson> {
  const url = apiRoutes.importedPeople(channelId);
  const { data } = await forum.json<ImportedPeople>('GET', url, { token });
  const person = data.find((one) => one.name === name);
  assert.ok(person, name);
  return person;
}

/** Makes a link for an imported person. @returns its path */
export async function personLink(
  forum: Forum,
  { token }: Person,
  channelId: string,
  personId: string,
  kind: NewPersonLink['kind'],
): Promise<string> {
  const url = apiRoutes.importedPersonLink(channelId, personId);
  const made = await forum.json<PersonLink>('POST', url, { token, body: { kind } });
  return made.url.replace(/^https?:\/\/[^/]+/, '');
}
