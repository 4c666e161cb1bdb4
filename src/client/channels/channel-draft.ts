import type { NewChannel } from '../../shared/channels.ts';
import { type IdempotentRequest, readRequest } from '../api/idempotent-request.ts';
import { localStore } from '../storage/browser-storage.ts';
import { isText, readStored } from '../storage/stored-value.ts';
import {
  deleteLocalFile,
  moveLocalFile,
  readLocalFile,
  storeLocalFile,
} from '../uploads/local-files.ts';

/**
 * An account's draft of a channel. It outlives a reload and the session, is shown to that account
 * only, and is deleted when the channel is created. Texts are in local storage. The files of the
 * cover are in IndexedDB until the user signs out.
 */
interface ChannelDraft {
  name: string;
  description: string;
  coverAlt: string;
  /** Download URL of the cover, once it is uploaded. */
  cover: string | null;
  /** The request that creates the channel, while its outcome is unknown. */
  request: IdempotentRequest<NewChannel> | null;
}

const textFields = ['name', 'description', 'coverAlt'] as const;

const keyOf = (userId: string) => `channel-draft ${userId}`;

const textOf = (value: unknown) => (isText(value) ? value : '');

function parseDraft(fields: Record<string, unknown>): ChannelDraft {
  return {
    name: textOf(fields.name),
    description: textOf(fields.description),
    coverAlt: textOf(fields.coverAlt),
    cover: isText(fields.cover) ? fields.cover : null,
    request: readRequest(fields.request, ['name', 'description', 'cover', 'coverAlt']),
  };
}

export function readDraft(userId: string): ChannelDraft {
  return readStored(keyOf(userId), parseDraft) ?? parseDraft({});
}

export function changeDraft(userId: string, part: Partial<ChannelDraft>): void {
  localStore.set(keyOf(userId), JSON.stringify({ ...readDraft(userId), ...part }));
}

/** Deletes the draft of a created channel, unless another tab has changed it meanwhile. */
export function discardDraft(userId: string, form: HTMLFormElement): void {
  const draft = readDraft(userId);
  if (textFields.some((name) => textField(form, name)?.value !== draft[name])) return;
  discardDraftFiles(userId);
  localStore.remove(keyOf(userId));
}

/** IndexedDB keys of the uploaded cover and of the file that is being uploaded to replace it. */
const fileKeys = (userId: string) => ({ cover: `${userId} cover`, upload: `${userId} upload` });

export function storeUpload(userId: string, file: File): void {
  storeLocalFile(fileKeys(userId).upload, file);
}

/** Makes the uploaded file the cover. */
export function storeCover(userId: string, downloadURL: string): void {
  const { cover, upload } = fileKeys(userId);
  moveLocalFile(upload, cover);
  changeDraft(userId, { cover: downloadURL });
}

/** Deletes the file of a failed or canceled upload. An earlier cover stays. */
export function discardUpload(userId: string): void {
  deleteLocalFile(fileKeys(userId).upload);
}

/** Deletes the cover and the upload, as at sign-out: another user of the browser must not find them. */
export function discardDraftFiles(userId: string): void {
  discardUpload(userId);
  deleteLocalFile(fileKeys(userId).cover);
  if (readDraft(userId).cover !== null) changeDraft(userId, { cover: null });
}

/** The uploaded cover and the unfinished upload; null for what the browser has not stored. */
export async function loadDraftFiles(userId: string) {
  const keys = fileKeys(userId);
  const [coverFile, upload] = await Promise.all([
    readLocalFile(keys.cover),
    readLocalFile(keys.upload),
  ]);
  const { cover: url } = readDraft(userId);
  return { cover: url && coverFile ? { url, file: coverFile } : null, upload };
}

export function storeDraftTexts(userId: string, form: HTMLFormElement): void {
  const texts = textFields.map((name) => [name, textField(form, name)?.value ?? '']);
  changeDraft(userId, Object.fromEntries(texts));
}

/** Fills empty fields with the draft, and stores text that was typed before hydration. */
export function fillInDraft(userId: string, form: HTMLFormElement): void {
  const draft = readDraft(userId);
  let isChanged = false;
  for (const name of textFields) {
    const field = textField(form, name);
    if (!field) continue;
    field.value ||= draft[name];
    isChanged ||= field.value !== draft[name];
  }
  if (isChanged) storeDraftTexts(userId, form);
}

function textField(form: HTMLFormElement, name: string) {
  const field = form.elements.namedItem(name);
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return isText ? field : null;
}
