import type { Chat } from './parse-chat.ts';
import type { LeftOut } from './read-body.ts';
import type { Export } from './read-export.ts';
import { suggestNames } from './suggest-names.ts';

/** An account of an export before anything is written. */
export interface Summary extends Pick<Chat, 'dates' | 'quoted'> {
  /** Name of the chat; '' if the file does not say it. */
  name: string;
  /** Times of the first and the last message, as in `Message`. */
  from: string;
  to: string;
  /** Number of comments that the whole export becomes. */
  messages: number;
  /** Everybody who wrote, in the order of their first messages. `name` is a suggestion, never a telephone number. */
  people: { source: string; name: string; messages: number }[];
  /** Attachments of messages that are in the export, and their bytes. */
  attachments: { count: number; bytes: number };
  /** Messages that are left out, and attachments of others. */
  leftOut: Record<LeftOut, number>;
  /** Messages that become several comments, and those of which the end is left out. */
  split: number;
  cut: number;
}

/** Reads a whole chat and counts. @throws UnreadableExport */
export async function summarizeChat(chat: Chat, source: Export): Promise<Summary> {
  const leftOut = { notice: 0, call: 0, deleted: 0, omitted: 0, missing: 0, unreadable: 0 };
  const people = new Map<string, number>();
  const attachments = { count: 0, bytes: 0 };
  const counts = { messages: 0, split: 0, cut: 0 };
  let from = '';
  let to = '';
  for await (const item of chat.read()) {
    if ('leftOut' in item) {
      leftOut[item.leftOut]++;
      continue;
    }
    from ||= item.at;
    to = item.at;
    counts.messages++;
    if (item.part === 2) counts.split++;
    if (item.isCut) counts.cut++;
    if (item.lacks) leftOut[item.lacks]++;
    people.set(item.person, (people.get(item.person) ?? 0) + 1);
    if (item.attachment === undefined) continue;
    attachments.count++;
    attachments.bytes += source.attachments.get(item.attachment) ?? 0;
  }
  const names = suggestNames([...people.keys()]);
  const list = [...people].map(([person, messages], index) => ({
    source: person,
    name: names[index] ?? '',
    messages,
  }));
  const { dates, quoted } = chat;
  return {
    name: source.name,
    dates,
    quoted,
    from,
    to,
    ...counts,
    people: list,
    attachments,
    leftOut,
  };
}
