import type { CommentEdit } from '../../src/shared/comments.ts';
import type { DemoChannel } from './content.ts';
import type { DemoClient } from './demo-client.ts';
import type { DemoComment } from './parse-comments.ts';
import { commentTimes } from './rhythm.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Upper bound of the time between a comment and its thanks. */
const thanksMs = 3 * hourMs;

/** An API call to send when the server's clock shows this time. */
export interface TimedCall {
  timeMs: number;
  send: () => Promise<unknown>;
}

export interface DemoContext {
  client: DemoClient;
  startMs: number;
  /** @param key of a demo person */
  memberOf: (key: string) => { id: string; name: string; token: string };
  /** URL of the uploaded cover of a channel. */
  coverOf: (slug: string) => string;
  /** Uploads a picture for a comment. @returns its URL */
  uploadPicture: (token: string, name: string) => Promise<string>;
}

/** The API calls that create a channel and its comments, unsorted. */
export function channelCalls(
  content: DemoChannel,
  context: DemoContext,
  onOpened: (channelId: string) => void,
): TimedCall[] {
  const { client, startMs, memberOf } = context;
  const openedMs = startMs - content.openedDaysAgo * dayMs;
  const { token } = memberOf(content.author);
  let channelId = '';
  const calls: TimedCall[] = [
    {
      timeMs: openedMs,
      send: async () => {
        const { name, description, slug } = content;
        const cover = context.coverOf(slug);
        const channel = await client.createChannel(token, { name, description, cover });
        channelId = channel._id;
        onOpened(channelId);
      },
    },
  ];
  const times = commentTimes(content.slug, content.comments.length, {
    openedMs,
    latestMs: startMs - content.latestHoursAgo * hourMs,
  });
  for (const [index, comment] of content.comments.entries()) {
    const timeMs = times[index] ?? startMs;
    calls.push(...commentCalls(comment, timeMs, context, () => ({ channelId, number: index + 1 })));
  }
  if (content.closedHoursAgo) {
    const timeMs = startMs - content.closedHoursAgo * hourMs;
    calls.push({ timeMs, send: () => client.closeChannel(token, channelId) });
  }
  return calls;
}

/** The calls that write a comment, and later edit or delete it or give thanks for it. */
function commentCalls(
  { author, text, reply, thanks, images, edit, deletedAfterMinutes }: DemoComment,
  timeMs: number,
  context: DemoContext,
  findComment: () => { channelId: string; number: number },
): TimedCall[] {
  const { client, startMs, memberOf } = context;
  const { token } = memberOf(author);
  let uploaded: { url: string; alt: string }[] = [];
  const calls: TimedCall[] = [
    {
      timeMs,
      send: async () => {
        uploaded = await Promise.all(
          images.map(async ({ name, alt }) => ({
            url: await context.uploadPicture(token, name),
            alt,
          })),
        );
        await client.comment(token, {
          id: findComment().channelId,
          ...withMentions(edit?.before ?? text, memberOf),
          images: uploaded,
          ...(reply ? { replyTo: reply } : {}),
        });
      },
    },
  ];
  if (edit) {
    calls.push({
      timeMs: timeMs + edit.afterMinutes * minuteMs,
      send: () =>
        client.editComment(
          token,
          { ...findComment(), revision: 1 },
          { ...withMentions(text, memberOf), images: uploaded },
        ),
    });
  }
  const spanMs = Math.min(thanksMs, startMs - timeMs);
  for (const [index, key] of thanks.entries()) {
    calls.push({
      timeMs: timeMs + (spanMs * (index + 1)) / (thanks.length + 1),
      send: () => client.thank(memberOf(key).token, findComment()),
    });
  }
  if (deletedAfterMinutes) {
    calls.push({
      timeMs: timeMs + deletedAfterMinutes * minuteMs,
      send: () => client.deleteComment(token, findComment()),
    });
  }
  return calls;
}

/** Replaces each `@{key}` with a name. @returns the text, and the ranges of these mentions */
function withMentions(
  source: string,
  memberOf: DemoContext['memberOf'],
): Required<Pick<CommentEdit, 'comment' | 'mentions'>> {
  let comment = '';
  const mentions: Required<CommentEdit>['mentions'] = [];
  // `split` puts the keys at odd indexes.
  for (const [index, part] of source.split(/@\{(\w+)\}/).entries()) {
    const person = index % 2 === 1 ? memberOf(part) : undefined;
    const shown = person ? `@${person.name}` : part;
    if (person) {
      mentions.push({ start: comment.length, length: shown.length, accountId: person.id });
    }
    comment += shown;
  }
  return { comment, mentions };
}
