import { v7 as uuidv7 } from 'uuid';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { NewPoll } from '../../src/shared/polls.ts';
import type { Forum, Person } from './forum.ts';

const hourMs = 3_600_000;

/** A named poll with one choice, which is open for an hour by the clock of the forum. */
export const newPoll = ({ services }: Forum, more: Partial<NewPoll> = {}): NewPoll => ({
  multiple: false,
  secret: false,
  closesAt: new Date(services.now() + hourMs).toISOString(),
  options: [{ text: 'Playa' }, { text: 'Sierra' }, { text: 'Pueblo' }],
  ...more,
});

/** Writes a comment with a poll in a channel of its own. */
export async function polledChannel(forum: Forum, author: Person, more: Partial<NewPoll> = {}) {
  const { _id: id } = await forum.channel(author, 'Excursiones');
  const comment = await forum.comment(author, id, '¿Adónde vamos?', { poll: newPoll(forum, more) });
  return { id, comment };
}

/** Votes in the poll of the first comment of a channel. */
export const vote = (
  forum: Forum,
  { token }: Pick<Person, 'token'>,
  id: string,
  options: number[],
) => forum.call('PUT', apiRoutes.votes(id, 1), { token, body: { options } });

/** Inserts accounts that cannot sign in. @returns their ids */
export async function insertVoters({ services }: Forum, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => {
    const id = uuidv7();
    const names = { name: `Persona ${index}`, email: '', email_key: id, password_hash: '' };
    return { id, ...names, created_at_ms: 1 };
  });
  for (let start = 0; start < count; start += 100)
    await services.db
      .insertInto('accounts')
      .values(rows.slice(start, start + 100))
      .execute();
  return rows.map(({ id }) => id);
}

/** Writes a comment with a poll in which its author voted and which is closed. @returns the number of the comment */
export async function closedPoll(forum: Forum, author: Person, channelId: string): Promise<number> {
  const { number } = await forum.comment(author, channelId, '', { poll: newPoll(forum) });
  const body = { options: [0] };
  await forum.json('PUT', apiRoutes.votes(channelId, number), { token: author.token, body });
  await forum.services.db.updateTable('polls').set({ closed_at_ms: 1 }).execute();
  return number;
}
