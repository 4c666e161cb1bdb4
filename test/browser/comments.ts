import type { Locator, Page } from '@playwright/test';
import { toStoredText } from '../../src/server/texts/stored-text.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { Comment } from '../../src/shared/comments.ts';
import type { Forum, Person } from '../forum/forum.ts';
import { insertComments } from '../forum/insert-comments.ts';

/** The comments on a channel page, from top to bottom. */
export function commentsShown(page: Page): Locator {
  return page.getByRole('region', { name: 'Comentarios' }).getByRole('listitem');
}

/** Label of the field for an image's alternative text; without a number for the only image. */
export const altLabel = (number?: number) =>
  `¿Qué se ve en la foto${number ? ` ${number}` : ''}? (opcional)`;

/** The link that appends the comments after those shown. */
export function moreComments(page: Page): Locator {
  return page.getByRole('link', {
    name: /^(Ver \d+ comentarios? más|Ver los siguientes)$/,
  });
}

/** The link that prepends the comments before those shown. */
export function earlierComments(page: Page): Locator {
  return page.getByRole('link', { name: 'Anteriores' });
}

export function commentField(page: Page): Locator {
  return page.getByLabel('Escribe un comentario');
}

export function sendButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Comentar', exact: true });
}

/** Texts of the comments, without author and time. */
export function commentTexts(page: Page): Promise<string[]> {
  return commentsShown(page).evaluateAll((items) =>
    items.map((item) => item.querySelector('[dir="auto"]')?.textContent ?? ''),
  );
}

export async function sendComment(page: Page, text: string): Promise<void> {
  await commentField(page).fill(text);
  await sendButton(page).click();
}

/** Posts comments one after another, so that their order is known. */
export async function writeComments(
  forum: Forum,
  author: Person,
  channel: Channel,
  comments: string[],
): Promise<Comment[]> {
  const written: Comment[] = [];
  for (const comment of comments) written.push(await forum.comment(author, channel._id, comment));
  return written;
}

/**
 * Adds comments to a channel all at once, in the database: open pages and cached responses do not have them until
 * somebody posts through the server.
 */
export function fillWithComments(
  forum: Forum,
  author: Person,
  { _id }: Channel,
  texts: string[],
): Promise<void> {
  const rest = [...texts];
  return insertComments(forum, _id, author.id, texts.length, () => ({
    text: toStoredText(rest.shift() ?? ''),
  }));
}

/** `comentario 001` and so on. No text contains another. */
export function numberedComments(count: number, first = 1): string[] {
  return Array.from({ length: count }, (_, index) =>
    `comentario ${first + index}`.replace(/\d+$/, (number) => number.padStart(3, '0')),
  );
}
