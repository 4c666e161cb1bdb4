import type { Plan } from '../../shared/moving-in.ts';
import { classifyStorageError } from '../database/errors.ts';
import { tryWithLock } from '../database/locks/locks.ts';
import { ApiError } from '../http/api-error.ts';
import { DiskFull } from '../images/uploads/upload-errors.ts';
import { requestIndexing } from '../search-index/index-state.ts';
import { usableBytes } from '../system/disk-reserve.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Config, DatabaseSettings } from '../system/settings/config.ts';
import { toStoredText } from '../texts/stored-text.ts';
import { applyPlan, type PlannedComment } from './apply-plan.ts';
import { type BegunImport, beginImport } from './begin-import.ts';
import { requestMoves } from './claims/move-words.ts';
import type { ImportedPerson } from './import-people.ts';
import { openChat } from './parse-chat.ts';
import { type Export, openExport } from './read-export.ts';
import { type AttachmentServices, takeAttachment } from './take-attachment.ts';
import { type ImportedComment, type Progress, writeBatch } from './write-batch.ts';

export interface ImportServices extends AttachmentServices {
  config: AttachmentServices['config'] & DatabaseSettings & Pick<Config, 'dataDir'>;
}

export interface ImportRequest {
  /** Path of an export. */
  file: string;
  /** Checked by `checkPlan`. */
  plan: Plan;
  /** The author of the channel. */
  adminId: string;
  /** Stops it between two batches; it goes on when it is repeated. */
  signal?: AbortSignal;
  /** Called once the channel is there, and after each batch. */
  onProgress?: (progress: { channelId: string; done: number; total: number }) => void;
}

export interface ImportResult extends Progress {
  channelId: string;
  /** False when it was cancelled or stopped. */
  isDone: boolean;
  /** Comments that were added. */
  added: number;
}

/** Comments per transaction, which readers of the channel wait for, and attachments, which are stored at the same time. */
const atOnce = { comments: 200, attachments: 4 };

/**
 * Brings a chat into the channel of the plan. What was brought before is not brought again, so a repeated call goes on
 * after an interruption, and a longer file adds what is new.
 * @throws ApiError `community_is_open`, `import_closed`, `import_running`; DiskFull; OperatorError for a file that cannot be
 * read and for people about whom the plan says nothing
 */
export async function importChat(
  services: ImportServices,
  request: ImportRequest,
): Promise<ImportResult> {
  const result = await tryWithLock(services, () => run(services, request), 'import');
  if (!result) throw new ApiError('import_running');
  return result;
}

async function run(services: ImportServices, request: ImportRequest): Promise<ImportResult> {
  const { file, plan, adminId } = request;
  const dates = plan.dates === 'ask' ? undefined : plan.dates;
  using source = await openExport(file);
  const chat = await openChat(source, services.now(), dates);
  const counts = new Map<string, { name: string; messages: number }>();
  for await (const { source: person, name } of applyPlan(chat.read(), plan)) {
    counts.set(person, { name, messages: (counts.get(person)?.messages ?? 0) + 1 });
  }
  if (counts.size === 0)
    throw new OperatorError('Con este plan no queda ningún mensaje: cambia el primer día.');
  const begun = await beginImport(services, { adminId, plan, counts });
  try {
    const result = await bring(services, request, { begun, source }, applyPlan(chat.read(), plan));
    if (result.isDone) await end(services, begun, 'done');
    return result;
  } catch (error) {
    const isFull = error instanceof DiskFull || classifyStorageError(error) === 'storage_full';
    // On a full disk this may fail, too: it then counts as stopped.
    await end(services, begun, isFull ? 'full' : 'failed').catch(() => {});
    throw error;
  } finally {
    await requestIndexing(services.db).catch(() => {});
    await requestMoves(services.db, begun.channelId).catch(() => {});
  }
}

/** Writes what is new, a batch at a time. */
async function bring(
  services: ImportServices,
  { signal, onProgress }: ImportRequest,
  { begun, source }: { begun: BegunImport; source: Export },
  comments: AsyncIterable<PlannedComment>,
): Promise<ImportResult> {
  const { channelId, people, total } = begun;
  const progress: Progress = { ...begun, leftOut: { ...begun.leftOut, older: 0 } };
  const result = (isDone: boolean): ImportResult => ({
    ...progress,
    channelId,
    isDone,
    added: progress.done - begun.done,
  });
  let batch: Promise<ImportedComment>[] = [];
  const write = async () => {
    if ((await usableBytes(services.config.dataDir)) < 0) throw new DiskFull();
    const written = await Promise.all(batch);
    const isWritten = await services.withTransaction(`channel ${channelId}`, (trx, announce) =>
      writeBatch(trx, announce, channelId, written, progress, services.now()),
    );
    batch = [];
    if (isWritten) onProgress?.({ channelId, done: progress.done, total });
    return isWritten;
  };
  onProgress?.({ channelId, done: begun.done, total });
  let skipped = 0;
  let ofNewest = 0;
  let attachments = 0;
  for await (const comment of comments) {
    const person = people.get(comment.source);
    if (!person) continue;
    // As many messages of the newest time as are there are the same ones.
    const isOld =
      comment.atMs < begun.newestMs ||
      (comment.atMs === begun.newestMs && ++ofNewest <= begun.newestCount);
    if (isOld) {
      skipped++;
      continue;
    }
    if (comment.attachment !== undefined) attachments++;
    const written = toComment(services, source, comment, person, progress);
    // It is awaited with its batch, before which the file may turn out to be damaged.
    written.catch(() => {});
    batch.push(written);
    progress.newestCount = comment.atMs === progress.newestMs ? progress.newestCount + 1 : 1;
    progress.newestMs = comment.atMs;
    progress.done++;
    if (batch.length < atOnce.comments && attachments < atOnce.attachments) continue;
    attachments = 0;
    if (!(await write())) return result(false);
    if (signal?.aborted) return result(false);
  }
  progress.leftOut.older = Math.max(0, skipped - begun.done);
  return result(await write());
}

/** Stores what a message carries, and counts what is left out of it. */
async function toComment(
  services: ImportServices,
  source: Export,
  { text, atMs, attachment }: PlannedComment,
  person: ImportedPerson,
  { leftOut }: Progress,
): Promise<ImportedComment> {
  const comment = { ...person, atMs, text: toStoredText(text), images: [], files: [] };
  if (attachment === undefined) return comment;
  const taken = await takeAttachment(services, source, attachment, person.personId);
  const { use, name, url } = taken;
  if (url === undefined) {
    leftOut[use === 'comment' ? 'images' : 'files']++;
    const note = `(adjunto que no se trajo: ${name})`;
    return { ...comment, text: toStoredText(text === '' ? note : `${text}\n${note}`) };
  }
  if (use === 'comment') return { ...comment, images: [{ url, alt: '' }] };
  return { ...comment, files: [{ url, name }] };
}

/** Ends a run. Members are told of a channel once a whole file is there for the first time. */
async function end(
  { withTransaction, now }: ImportServices,
  { channelId, wasDone }: BegunImport,
  state: 'done' | 'full' | 'failed',
): Promise<void> {
  const isDone = state === 'done';
  await withTransaction(`channel ${channelId}`, async (trx) => {
    await trx
      .updateTable('imports')
      // The names of the chat are needed only to go on.
      .set({ state, changed_at_ms: now(), ...(isDone && { plan: '' }) })
      .where('channel_id', '=', channelId)
      .where('state', '=', 'running')
      .execute();
    if (isDone && !wasDone)
      await trx.updateTable('channels').set({ is_told: 0 }).where('id', '=', channelId).execute();
  });
}
