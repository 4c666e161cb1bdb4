import type { NewChannel } from '../shared/channels.ts';
import type { KeyedRequest } from './keyed-request.ts';
import { sessionStore } from './state/browser-storage.ts';
import { dropKeptFile, keepFile, newFileKey, readKeptFile } from './uploads/kept-files.ts';

/**
 * What someone has begun on the create page. It outlives a reload, and ends with the session: the
 * words lie in session storage, the file of the cover among the kept files.
 */
interface ChannelDraft {
  name: string;
  description: string;
  coverAlt: string;
  /** Download URL of the cover, once it is uploaded. */
  cover: string | null;
  fileKey: number | null;
  /** The channel as it was sent, when no answer has settled it. */
  request: KeyedRequest<NewChannel> | null;
}

/** The fields of the form that a draft keeps. */
const textFields = ['name', 'description', 'coverAlt'] as const;

const key = 'channelDraft';
const noDraft: ChannelDraft = {
  name: '',
  description: '',
  coverAlt: '',
  cover: null,
  fileKey: null,
  request: null,
};

export function readDraft(): ChannelDraft {
  const text = sessionStore.get(key);
  return text ? (JSON.parse(text) as ChannelDraft) : noDraft;
}

export function changeDraft(part: Partial<ChannelDraft>): void {
  sessionStore.set(key, JSON.stringify({ ...readDraft(), ...part }));
}

export function forgetDraft(): void {
  forgetDraftFile();
  sessionStore.remove(key);
}

export function keepDraftFile(userId: string, file: File): void {
  const fileKey = readDraft().fileKey ?? newFileKey();
  changeDraft({ fileKey });
  keepFile(fileKey, { userId, file });
}

export function forgetDraftFile(): void {
  const { fileKey } = readDraft();
  if (fileKey === null) return;
  dropKeptFile(fileKey);
  changeDraft({ fileKey: null, cover: null });
}

export async function readDraftFile(userId: string): Promise<File | undefined> {
  const { fileKey } = readDraft();
  return fileKey === null ? undefined : readKeptFile(fileKey, userId);
}

export function keepDraftTexts(form: HTMLFormElement): void {
  const texts = textFields.map((name) => [name, textField(form, name)?.value ?? '']);
  changeDraft(Object.fromEntries(texts));
}

/** What has been typed meanwhile stays. */
export function fillInDraft(form: HTMLFormElement): void {
  const draft = readDraft();
  for (const name of textFields) {
    const field = textField(form, name);
    if (field) field.value ||= draft[name];
  }
}

function textField(form: HTMLFormElement, name: string) {
  const field = form.elements.namedItem(name);
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return isText ? field : null;
}
