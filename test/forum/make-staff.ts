import type { Role } from '../../src/shared/moderation.ts';
import type { Forum, Person } from './forum.ts';

/** Creates an account with a role. */
export async function makeStaff(
  forum: Forum,
  role: Role = 'moderator',
  name = 'Moderadora',
): Promise<Person> {
  const person = await forum.person(name);
  const { db } = forum.services;
  await db.updateTable('accounts').set({ role }).where('id', '=', person.id).execute();
  return person;
}
