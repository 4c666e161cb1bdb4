import { expect, type Locator, type Page } from '@playwright/test';
import type { Comment } from '../../src/shared/comments.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import type { Forum, Person } from '../forum/forum.ts';
import type { ChosenFile } from './images.ts';

/** A PDF of some bytes, which differ from those of another length. */
export function pdf(name = 'acta.pdf', bytes = 2000): ChosenFile {
  const end = '\n%%EOF\n';
  const buffer = Buffer.from(`%PDF-1.7\n%${'\u00a1'.repeat(4)}\n`.padEnd(bytes - end.length) + end);
  return { name, mimeType: 'application/pdf', buffer };
}

/** The start of an MP3: frames of silence at 128 kbit/s. */
export function mp3(name = 'ensayo.mp3'): ChosenFile {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return { name, mimeType: 'audio/mpeg', buffer: Buffer.concat(Array(40).fill(frame)) };
}

/** Uploads files, for a comment. */
export async function uploadFiles(
  forum: Forum,
  author: Person,
  files: ChosenFile[],
): Promise<{ url: string }[]> {
  const stored: { url: string }[] = [];
  for (const { name, buffer } of files) {
    const response = await forum.upload(author, buffer, { filename: name, use: 'file' });
    const { downloadURL } = (await response.json()) as StoredFile;
    stored.push({ url: downloadURL });
  }
  return stored;
}

/** Posts a comment with these files. */
export async function commentWithFiles(
  forum: Forum,
  author: Person,
  channelId: string,
  text: string,
  files: ChosenFile[],
): Promise<Comment> {
  return forum.comment(author, channelId, text, { files: await uploadFiles(forum, author, files) });
}

/** Chooses files by the menu of the composer. */
export async function chooseFiles(page: Page, files: ChosenFile[]): Promise<void> {
  await page.getByRole('button', { name: 'Añadir…' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Archivos', exact: true }).click();
  await (await chooser).setFiles(files);
}

/** The files of the comment that is being written. */
export const draftFiles = (page: Page) =>
  page.getByRole('list', { name: 'Archivos del comentario' }).getByRole('listitem');

/** Waits until a file of the draft is stored. */
export const expectStored = (page: Page, name: string) =>
  expect(page.getByRole('button', { name: `Quitar ${name}` })).toBeVisible();

/** Drops or pastes files on an element. */
export async function giveFiles(
  target: Locator,
  type: 'drop' | 'paste',
  files: ChosenFile[],
): Promise<void> {
  const contents = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    bytes: [...buffer],
  }));
  await target.evaluate(
    (element, { type, contents }) => {
      const data = new DataTransfer();
      for (const { name, mimeType, bytes } of contents) {
        data.items.add(new File([new Uint8Array(bytes)], name, { type: mimeType }));
      }
      const options = { bubbles: true, cancelable: true };
      const event =
        type === 'drop'
          ? new DragEvent(type, { ...options, dataTransfer: data })
          : new ClipboardEvent(type, { ...options, clipboardData: data });
      element.dispatchEvent(event);
    },
    { type, contents },
  );
}
