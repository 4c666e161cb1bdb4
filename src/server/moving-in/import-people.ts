import { createHmac } from 'node:crypto';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { v7 as uuidv7 } from 'uuid';
import type { Plan } from '../../shared/moving-in.ts';
import { nameKey } from '../accounts/names.ts';
import type { Database } from '../database/tables.ts';

/** An imported person, and the account whose comments their words become: their own, or a member's who claimed them. */
export interface ImportedPerson {
  personId: string;
  authorId: string;
}

/**
 * Finds the imported persons whom the names of a chat mean, and adds those that are missing. People with the same name are
 * one. Call it under the lock of imports.
 * @param names the name that each one in the chat is given
 * @returns the persons by their names in the chat, without those who withdrew their words
 */
export async function saveImportedPeople(
  trx: Database,
  { channelId, sourceKey }: { channelId: string; sourceKey: string },
  names: ReadonlyMap<string, string>,
  nowMs: number,
): Promise<Map<string, ImportedPerson>> {
  const known = await findKnownPeople(trx, channelId);
  const byHash = new Map(known.map((row) => [row.source_hash, row]));
  const byName = new Map(
    known.filter((row) => !isWithdrawn(row)).map((row) => [row.name, personOf(row)]),
  );
  const people = new Map<string, ImportedPerson>();
  for (const [source, name] of names) {
    const source_hash = hashSource(sourceKey, source);
    const row = byHash.get(source_hash);
    if (row && isWithdrawn(row)) continue;
    const person =
      (row && personOf(row)) ?? byName.get(name) ?? (await insertPerson(trx, name, nowMs));
    people.set(source, person);
    byName.set(name, person);
    if (row) continue;
    const { claimed_by = null, claimed_at_ms = null } =
      known.find(({ account_id }) => account_id === person.personId) ?? {};
    await trx
      .insertInto('imported_people')
      .values({
        ...{ channel_id: channelId, source_hash, account_id: person.personId },
        ...{ claimed_by, claimed_at_ms },
      })
      .execute();
  }
  return people;
}

/** The names of a chat as they are stored, with their imported persons. */
export const findKnownPeople = (db: Database, channelId: string) =>
  db
    .selectFrom('imported_people')
    .innerJoin('accounts', 'accounts.id', 'imported_people.account_id')
    .select(['source_hash', 'imported_people.account_id', 'claimed_by', 'accounts.name'])
    .select(['claimed_at_ms', 'accounts.erased_at_ms', 'accounts.deletion_at_ms'])
    .leftJoin('accounts as claimant', 'claimant.id', 'claimed_by')
    .select('claimant.erased_at_ms as claimant_erased_at_ms')
    .select('claimant.deletion_at_ms as claimant_deletion_at_ms')
    .where('channel_id', '=', channelId)
    .execute();

/** The only form in which a name of a chat is stored for long. */
export const hashSource = (sourceKey: string, source: string) =>
  createHmac('sha256', sourceKey).update(source).digest('base64url');

export const parseHashes = (json: string) =>
  Value.Parse(Type.Array(Type.String()), JSON.parse(json));

/** The stored names of people who are left out, with those of earlier files about whom a plan says nothing. */
export function leftOutPeople(
  { source_key, left_out_people }: { source_key: string; left_out_people: string },
  plan: Plan,
): string {
  const hashes = new Set(parseHashes(left_out_people));
  for (const { source, name } of plan.people) {
    const hash = hashSource(source_key, source);
    if (name === null) hashes.add(hash);
    else hashes.delete(hash);
  }
  return JSON.stringify([...hashes]);
}

/** Whether the words were withdrawn, or the account that claimed them is erased or to be erased. */
export const isWithdrawn = (row: {
  claimed_by: string | null;
  erased_at_ms: number | null;
  deletion_at_ms: number | null;
  claimant_erased_at_ms: number | null;
  claimant_deletion_at_ms: number | null;
}) =>
  row.claimed_by === null
    ? row.erased_at_ms !== null || row.deletion_at_ms !== null
    : row.claimant_erased_at_ms !== null || row.claimant_deletion_at_ms !== null;

const personOf = ({
  account_id,
  claimed_by,
}: {
  account_id: string;
  claimed_by: string | null;
}) => ({
  personId: account_id,
  authorId: claimed_by ?? account_id,
});

/** Inserts the account of a person without address and password, to which nobody can sign in. */
async function insertPerson(trx: Database, name: string, nowMs: number): Promise<ImportedPerson> {
  const id = uuidv7();
  await trx
    .insertInto('accounts')
    .values({
      ...{ id, name, name_key: nameKey(name), email: '', email_key: null, password_hash: '' },
      ...{ img: null, created_at_ms: nowMs, disabled_at_ms: nowMs, admission: 'imported' },
    })
    .execute();
  return { personId: id, authorId: id };
}
