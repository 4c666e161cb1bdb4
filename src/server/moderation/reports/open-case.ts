import Type from 'typebox';
import { Value } from 'typebox/value';
import { v7 as uuidv7 } from 'uuid';
import { CommentImage } from '../../../shared/comments.ts';
import type { Subject } from '../../../shared/moderation.ts';
import type { Database } from '../../database/tables.ts';
import type { StoredText } from '../../texts/stored-text.ts';

/** Maximum number of images of a case. */
const maxImages = 50;

/**
 * Opens a case without reports about content of an account, or finds the open case about it. Its images and files
 * stay as long as the case, also those that only a later report found. Locks the row of the case until the transaction
 * ends.
 * @param isIllegal moves the case before those that nobody reported as illegal
 */
export async function openCase(
  trx: Database,
  { kind, id }: Subject,
  account_id: string,
  {
    text,
    images,
    files = [],
    revision,
  }: { text: StoredText; images: CommentImage[]; files?: { url: string }[]; revision: number },
  nowMs: number,
  isIllegal = false,
) {
  const open = await trx
    .insertInto('cases')
    .values({
      id: uuidv7(),
      subject_kind: kind,
      subject_id: id,
      account_id,
      text,
      images: JSON.stringify(images),
      revision,
      rank: isIllegal ? 0 : 1,
      report_count: 0,
      opened_at_ms: nowMs,
      decided_at_ms: null,
      decision_id: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['subject_kind', 'subject_id', 'account_id'])
        .where('decided_at_ms', 'is', null)
        .doUpdateSet((eb) => ({ rank: isIllegal ? 0 : eb.ref('cases.rank') })),
    )
    .returning(['id', 'text', 'images', 'report_count'])
    .executeTakeFirstOrThrow();
  await keepImages(trx, open, images, files);
  return open;
}

const storedImages = Type.Array(CommentImage);

/** The images of a case, from its column. */
export const parseImages = (stored: string): CommentImage[] =>
  Value.Parse(storedImages, JSON.parse(stored));

async function keepImages(
  trx: Database,
  { id, images }: { id: string; images: string },
  reported: CommentImage[],
  files: { url: string }[],
): Promise<void> {
  if (reported.length + files.length === 0) return;
  const known = parseImages(images);
  const added = reported.filter(({ url }) => !known.some((one) => one.url === url));
  const all = [...known, ...added].slice(0, maxImages);
  if (all.length > known.length) {
    const cases = trx.updateTable('cases').set({ images: JSON.stringify(all) });
    await cases.where('id', '=', id).execute();
  }
  const urls = [...all, ...files].map(({ url }) => url);
  const uploaded = new Set(urls.filter((url) => url.startsWith('/files/')));
  if (uploaded.size === 0) return;
  await trx
    .insertInto('case_images')
    .values([...uploaded].map((url) => ({ case_id: id, url })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
