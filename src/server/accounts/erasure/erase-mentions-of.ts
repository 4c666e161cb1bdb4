import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { commentId } from '../../../shared/comment-id.ts';
import { recordChanges } from '../../comments/comment-changes.ts';
import { changeExcerpts, eraseOldExcerpts } from '../../comments/excerpts.ts';
import {
  type CommentPlace,
  changeComments,
  findStored,
  lockChannel,
} from '../../comments/stored-comments.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { isVisible } from '../../database/visible-rows.ts';
import { indexComment } from '../../search/index/index-comment.ts';
import type { ErasureServices } from './erasure-services.ts';
import { renameInExcerpt, renameMentions, replaceNames } from './rename-mentions.ts';

/** Comments that one transaction changes, so that other writes can run in between. */
const batchSize = 20;
/** A transaction that has changed so many goes on with no other comment. */
const mostChanged = 200;
/** Versions that are read at once: at most 2 MB of text. */
const versionBatch = 50;

type Version = Pick<Tables['comment_versions'], 'channel_id' | 'number' | 'revision' | 'text'>;

/**
 * Takes the name of an account out of the comments that mention it, wherever they are, out of their
 * earlier versions and out of what replies quote from them.
 */
export async function eraseMentionsOf(services: ErasureServices, accountId: string): Promise<void> {
  /** By comment whose replies take several transactions: the last one that is done. */
  const done = new Map<string, number>();
  for (;;) {
    const places = await services.db
      .selectFrom('comment_mentions')
      .select(['channel_id', 'number'])
      .where('account_id', '=', accountId)
      .limit(batchSize)
      .execute();
    if (places.length === 0) return;
    for (const [channelId, ofChannel] of Map.groupBy(places, (place) => place.channel_id)) {
      const numbers = new Set(ofChannel.map(({ number }) => number));
      await changeComments(services, channelId, async (trx, nowMs) => {
        await lockChannel(trx, channelId);
        const changed = new Set<number>();
        for (const number of numbers) {
          const id = commentId(channelId, number);
          const place = { channelId, number };
          const { shown, next } = await renameIn(trx, place, accountId, done.get(id) ?? 0);
          for (const one of shown) changed.add(one);
          if (next !== undefined) done.set(id, next);
          if (next !== undefined || changed.size >= mostChanged) break;
        }
        const [first, ...others] = changed;
        if (first === undefined) return { value: undefined };
        const change = await recordChanges(
          trx,
          services.live,
          channelId,
          [first, ...others],
          nowMs,
        );
        return { value: undefined, change };
      });
    }
  }
}

/**
 * Renames in a comment after it has renamed in what replies quote from it.
 * @param after as in `changeExcerpts`
 * @returns numbers of the visible comments that show something else now; `next` while the comment itself
 * is unchanged
 */
async function renameIn(
  trx: Database,
  place: CommentPlace,
  accountId: string,
  after: number,
): Promise<{ shown: number[]; next?: number }> {
  const { channelId, number } = place;
  const mentions = await trx
    .selectFrom('comment_mentions')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .orderBy('start')
    .execute();
  const row = await findStored(trx, place);
  if (!row) {
    await deleteMentions(trx, place);
    return { shown: [] };
  }
  const renamed = renameMentions(
    row.text,
    mentions.filter((mention) => mention.account_id === accountId),
  );
  const { visible, next } = await changeExcerpts(trx, place, after, (excerpt) =>
    renameInExcerpt(excerpt, row.text, renamed),
  );
  if (next !== undefined) return { shown: visible, next };
  await deleteMentions(trx, place);
  const others = mentions
    .filter((mention) => mention.account_id !== accountId)
    .map((mention) => ({ ...mention, start: renamed.moved(mention.start, 'begin') }));
  if (others.length > 0) await trx.insertInto('comment_mentions').values(others).execute();
  await trx
    .updateTable('comments')
    .set({ text: renamed.text, revision: row.revision + 1, mention_count: others.length })
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .execute();
  if (isVisible(row)) await indexComment(trx, place, renamed.text);
  await renameInVersions(trx, place, renamed.names);
  return { shown: isVisible(row) ? [number, ...visible] : visible };
}

async function deleteMentions(trx: Database, { channelId, number }: CommentPlace): Promise<void> {
  await trx
    .deleteFrom('comment_mentions')
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .execute();
}

async function renameInVersions(
  trx: Database,
  { channelId, number }: CommentPlace,
  names: Iterable<string>,
): Promise<void> {
  for (let after = 0; ; ) {
    const versions = await trx
      .selectFrom('comment_versions')
      .select(['channel_id', 'number', 'revision', 'text'])
      .where('channel_id', '=', channelId)
      .where('number', '=', number)
      .where('revision', '>', after)
      .orderBy('revision')
      .limit(versionBatch)
      .execute();
    const last = versions.at(-1);
    if (!last) return;
    after = last.revision;
    for (const version of versions) await renameInVersion(trx, version, names);
  }
}

async function renameInVersion(
  trx: Database,
  { channel_id, number, revision, text }: Version,
  names: Iterable<string>,
): Promise<void> {
  const replaced = replaceNames(text, names);
  if (replaced === text) return;
  await trx
    .updateTable('comment_versions')
    .set({ text: replaced })
    .where('channel_id', '=', channel_id)
    .where('number', '=', number)
    .where('revision', '=', revision)
    .execute();
}

/**
 * Takes a name out of the earlier versions of all comments that mentioned it, and with it what replies
 * quote from those versions only. Call it when no comment mentions the account any more.
 */
export async function eraseNameInVersions(
  { db, transact }: ErasureServices,
  name: string,
): Promise<void> {
  const names = [`@${name}`];
  let after = { channel_id: '', number: 0, revision: 0 };
  /** The comment whose quotations are done. */
  let quoted = '';
  for (;;) {
    const versions = await db
      .selectFrom('comment_versions')
      .select(['channel_id', 'number', 'revision', 'text'])
      .where((eb) =>
        eb(
          eb.refTuple('channel_id', 'number', 'revision'),
          '>',
          eb.tuple(after.channel_id, after.number, after.revision),
        ),
      )
      .orderBy('channel_id')
      .orderBy('number')
      .orderBy('revision')
      .limit(versionBatch)
      .execute();
    const last = versions.at(-1);
    if (!last) return;
    after = last;
    const naming = versions.filter(({ text }) => replaceNames(text, names) !== text);
    for (const [id, ofComment] of Map.groupBy(naming, idOf)) {
      const [{ channel_id, number }] = ofComment as [Version];
      const place = { channelId: channel_id, number };
      const eraseAfter = (after: number) =>
        transact(`channel ${channel_id}`, async (trx) => {
          await lockChannel(trx, channel_id);
          const next = id === quoted ? undefined : await eraseOldExcerpts(trx, place, after);
          if (next !== undefined) return next;
          for (const version of ofComment) await renameInVersion(trx, version, names);
          return undefined;
        });
      let excerpt: number | undefined = 0;
      while (excerpt !== undefined) excerpt = await eraseAfter(excerpt);
      quoted = id;
    }
    // On SQLite no query waits for the disk in between.
    await yieldToEventLoop();
  }
}

const idOf = ({ channel_id, number }: Version) => commentId(channel_id, number);
