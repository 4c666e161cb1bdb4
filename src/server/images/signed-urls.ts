import { createHmac, timingSafeEqual } from 'node:crypto';
import { withQuery } from '../../shared/routes.ts';
import type { Database, Tables } from '../database/tables.ts';
import { findImage } from './image-visibility.ts';

/** How long a signed URL is valid. */
const validMs = 10 * 60_000;

type Signed = Pick<Tables['images'], 'url' | 'image_id'>;

/**
 * The URL of an image for a person who may see it: signed while visitors may not see it. URLs of other sites and of
 * erased images stay unchanged.
 */
export async function viewableUrl(db: Database, url: string, nowMs: number): Promise<string> {
  const found = url.startsWith('/files/') ? await findImage(db, 'url', url) : undefined;
  return found && !found.isPublic ? signedUrl(found.row, nowMs) : url;
}

/**
 * The URL of an image for a person who may see it although visitors may not. Anybody who has the URL can open it
 * until it expires.
 */
function signedUrl(image: Signed, nowMs: number): string {
  const expiresAt = String(nowMs + validMs);
  return withQuery(image.url, { signature: `${expiresAt}-${sign(image, expiresAt)}` });
}

/** Whether a signature is valid for this image and has not expired. */
export function isSignedFor(image: Signed, signature: string, nowMs: number): boolean {
  const [, expiresAt = '', signed = ''] = /^(\d{1,15})-([\w-]{43})$/.exec(signature) ?? [];
  const remainingMs = Number(expiresAt) - nowMs;
  if (!(remainingMs > 0 && remainingMs <= validMs)) return false;
  return timingSafeEqual(Buffer.from(signed), Buffer.from(sign(image, expiresAt)));
}

/** The key of the signature is the id of the image's objects, which is never sent to clients. */
function sign({ url, image_id }: Signed, expiresAt: string): string {
  return createHmac('sha256', image_id).update(`${expiresAt} ${url}`).digest('base64url');
}

/** Replaces the URLs of images and files with signed ones. URLs of other sites and of erased ones stay unchanged. */
export async function withSignedUrls<
  T extends { images: { url: string }[]; files?: { url: string }[] },
>(db: Database, comments: T[], nowMs: number): Promise<T[]> {
  const urls = comments.flatMap(({ images, files = [] }) =>
    [...images, ...files].map(({ url }) => url),
  );
  if (urls.length === 0) return comments;
  const rows = await db
    .selectFrom('images')
    .select(['url', 'image_id'])
    .where('url', 'in', [...new Set(urls)])
    .execute();
  const signed = new Map(rows.map((row) => [row.url, signedUrl(row, nowMs)]));
  const sign = <Item extends { url: string }>(items: Item[]) =>
    items.map((item) => ({ ...item, url: signed.get(item.url) ?? item.url }));
  return comments.map((comment) => ({
    ...comment,
    images: sign(comment.images),
    ...(comment.files && { files: sign(comment.files) }),
  }));
}
