import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { codeHash, insertInvitation } from '../../src/server/accounts/invitations/invitations.ts';
import { hashOfToken } from '../../src/server/mail/link-tokens.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type {
  ImportedPeople,
  ImportedPerson,
  NewPersonLink,
  PersonLink,
} from '../../src/shared/imported-people.ts';
import type { Forum, Person } from '../forum/forum.ts';

/** Makes a channel look like a chat that moved in. */
export async function insertImport(
  { services: { db, now } }: Forum,
  channelId: string,
  accountId: string,
  state: 'running' | 'done' = 'done',
): Promise<void> {
  const left_out = JSON.stringify({ older: 0, images: 0, files: 0 });
  await db
    .insertInto('imports')
    .values({
      ...{ channel_id: channelId, account_id: accountId, state, plan: '', left_out },
      ...{ source_key: 'k', started_at_ms: now(), changed_at_ms: now() },
    })
    .execute();
}

/**
 * Makes a channel with a comment of a person without an account.
 * @returns the ids of the channel and the person, and tokens of links to claim the words, made by the owner, and to withdraw them
 */
export async function insertImported(forum: Forum, owner: Person) {
  const { db, now } = forum.services;
  const { _id: channelId } = await forum.channel(owner);
  await forum.comment(owner, channelId, 'hola');
  await insertImport(forum, channelId, owner.id);
  const [personId, withdraw] = [randomUUID(), randomUUID()];
  await db
    .insertInto('accounts')
    .values({
      ...{ id: personId, name: 'Zenobia', name_key: null, email: '', email_key: null },
      ...{ password_hash: '', img: null, created_at_ms: now(), disabled_at_ms: now() },
      admission: 'imported',
    })
    .execute();
  const { code } = await insertInvitation(db, owner.id, { uses: 1, days: 30 }, now());
  await db
    .insertInto('imported_people')
    .values({
      ...{ channel_id: channelId, source_hash: 'h', account_id: personId },
      ...{ claim_hash: codeHash(code), withdraw_hash: hashOfToken(withdraw) },
    })
    .execute();
  await db
    .updateTable('comments')
    .set({ account_id: personId, person_id: personId })
    .where('channel_id', '=', channelId)
    .execute();
  return { channelId, personId, code, withdraw };
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
