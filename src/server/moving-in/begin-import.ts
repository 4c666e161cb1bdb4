import { randomBytes } from 'node:crypto';
import { Value } from 'typebox/value';
import { v7 as uuidv7 } from 'uuid';
import { LeftOutCounts, type Plan } from '../../shared/moving-in.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { indexChannel } from '../search-index/index-channel.ts';
import { settingsInForce } from '../site-settings/site-settings.ts';
import { type ImportedPerson, leftOutPeople, saveImportedPeople } from './import-people.ts';

/** A chat that is becoming a channel, as the database has it so far. */
export interface BegunImport {
  channelId: string;
  /** Whether all of a file was brought before. */
  wasDone: boolean;
  /** Messages that become comments, also those that are. */
  total: number;
  /** Messages that became comments, the time of the newest, and how many of that time did. */
  done: number;
  newestMs: number;
  newestCount: number;
  leftOut: LeftOutCounts;
  /** The imported people of the chat, by the names that it gives them. */
  people: Map<string, ImportedPerson>;
}

interface NewImport {
  /** The author of the channel. */
  adminId: string;
  plan: Plan;
  /** The messages of each name in the chat that is not left out. */
  counts: ReadonlyMap<string, { name: string; messages: number }>;
}

/**
 * Begins to bring a chat, or goes on: finds the channel of the plan's name that a chat became, or makes a closed one.
 * @throws ApiError `community_is_open`; `import_closed` when people write in that channel
 */
export function beginImport(
  { withTransaction, now }: { withTransaction: WithTransaction; now: () => number },
  { adminId, plan, counts }: NewImport,
): Promise<BegunImport> {
  return withTransaction('import', async (trx, announce) => {
    const nowMs = now();
    const { readers } = await settingsInForce(trx);
    if (readers !== 'members') throw new ApiError('community_is_open');
    let found = await findImport(trx, plan.channel);
    if (found && found.closed_at_ms === null) throw new ApiError('import_closed');
    if (!found) {
      await insertImport(trx, adminId, plan, nowMs);
      found = await findImport(trx, plan.channel);
      if (!found) throw new Error('a new import is missing');
      await announce({ kind: 'channel', channelId: found.channel_id });
    }
    const channelId = found.channel_id;
    const sources = { channelId, sourceKey: found.source_key };
    const names = new Map([...counts].map(([source, { name }]) => [source, name]));
    const people = await saveImportedPeople(trx, sources, names, nowMs);
    const total = [...counts].reduce(
      (sum, [source, { messages }]) => sum + (people.has(source) ? messages : 0),
      0,
    );
    const times = { started_at_ms: nowMs, changed_at_ms: nowMs };
    const state = { state: 'running' as const, plan: JSON.stringify(plan) };
    const left_out_people = leftOutPeople(found, plan);
    await trx
      .updateTable('imports')
      .set({ ...times, ...state, left_out_people, total: Math.max(total, found.done) })
      .where('channel_id', '=', channelId)
      .execute();
    const { done, newest_ms, newest_count, left_out } = found;
    const leftOut = parseLeftOut(left_out);
    const newest = { newestMs: newest_ms, newestCount: newest_count };
    return { channelId, wasDone: found.state === 'done', total, done, ...newest, leftOut, people };
  });
}

export const parseLeftOut = (json: string) => Value.Parse(LeftOutCounts, JSON.parse(json));

/** Finds the newest channel of this name that a chat became. */
export function findImport(db: Database, channelName: string) {
  return db
    .selectFrom('imports')
    .innerJoin('channels', 'channels.id', 'imports.channel_id')
    .select(['channel_id', 'closed_at_ms', 'source_key', 'state'])
    .select(['done', 'newest_ms', 'newest_count', 'left_out', 'left_out_people'])
    .where('name', '=', channelName)
    .where('deleted_at_ms', 'is', null)
    .orderBy('channel_id', 'desc')
    .executeTakeFirst();
}

async function insertImport(
  trx: Database,
  adminId: string,
  plan: Plan,
  nowMs: number,
): Promise<void> {
  const id = uuidv7();
  const times = { created_at_ms: nowMs, active_at_ms: nowMs, closed_at_ms: nowMs };
  await trx
    .insertInto('channels')
    .values({
      ...{ id, account_id: adminId, name: plan.channel, ...times },
      ...{ description: 'Viene de un grupo de WhatsApp.', cover: '', cover_alt: '' },
      ...{ comment_count: 0, last_comment_number: 0, key_hash: null, request_hash: null },
      ...{ hidden_by: null, deleted_at_ms: null, edited_at_ms: null, pinned_at_ms: null },
      // Members are told of it once it is complete.
      is_told: 1,
    })
    .execute();
  await indexChannel(trx, id);
  await trx
    .insertInto('imports')
    .values({
      ...{ channel_id: id, account_id: adminId, state: 'running', plan: '' },
      source_key: randomBytes(32).toString('base64url'),
      left_out: JSON.stringify({ older: 0, images: 0, files: 0 } satisfies LeftOutCounts),
      ...{ started_at_ms: nowMs, changed_at_ms: nowMs },
    })
    .execute();
}
