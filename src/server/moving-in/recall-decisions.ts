import type { Plan } from '../../shared/moving-in.ts';
import type { Database } from '../database/tables.ts';
import { findKnownPeople, hashSource, isWithdrawn, parseHashes } from './import-people.ts';

/** Number of chats that moved in last among which a group is looked for. */
const mostCompared = 10;

/**
 * Suggests again what was decided about people of this group when it moved in before: its import is the newest one with
 * the plan's channel, else the one that knows most of these people. Reads only.
 */
export async function recallDecisions(db: Database, plan: Plan): Promise<Plan> {
  const imports = await db
    .selectFrom('imports')
    .innerJoin('channels', 'channels.id', 'channel_id')
    .select(['channel_id', 'name', 'source_key', 'left_out_people'])
    .where('deleted_at_ms', 'is', null)
    .orderBy('channel_id', 'desc')
    .limit(mostCompared)
    .execute();
  let recalled = plan;
  let most = 0;
  for (const one of imports) {
    const decisions = await findDecisions(db, one);
    let known = 0;
    const people = plan.people.map(({ source, name }) => {
      const decided = decisions.get(hashSource(one.source_key, source));
      if (decided === undefined) return { source, name };
      known++;
      return { source, name: decided.name === undefined ? name : decided.name };
    });
    if (one.name === plan.channel) return { ...plan, people };
    if (known > most) recalled = { ...plan, channel: plan.channel || one.name, people };
    most = Math.max(most, known);
  }
  return recalled;
}

/** The name given to each stored name of a chat; null for whoever is left out, undefined once it was erased. */
async function findDecisions(
  db: Database,
  one: { channel_id: string; left_out_people: string },
): Promise<Map<string, { name: string | null | undefined }>> {
  const out = parseHashes(one.left_out_people).map((hash) => [hash, { name: null }] as const);
  const known = (await findKnownPeople(db, one.channel_id)).map((row) => {
    const name = isWithdrawn(row) ? null : row.erased_at_ms === null ? row.name : undefined;
    return [row.source_hash, { name }] as const;
  });
  return new Map([...known, ...out]);
}
