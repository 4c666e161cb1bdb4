import Type, { type Static } from 'typebox';
import { Channel } from './channels.ts';
import { CommentImage, Mention } from './comments.ts';
import { NewEvent } from './events.ts';
import { CommentFile } from './files.ts';
import { NewPoll } from './polls.ts';
import { Instant, Nullable } from './schema.ts';

/** Why a post awaits approval: it is a first post, or has a signal. */
export const pendingReasons = ['first_post', 'links', 'channels', 'comments'] as const;
export type PendingReason = (typeof pendingReasons)[number];

/** API documentation of a route that may answer with a pending post. */
export const pendingText =
  '202 si espera a que alguien del equipo de moderación lo apruebe: véase `/api/user/pending`.';

/** A comment or channel of the caller that awaits a moderator, or was refused. */
export const PendingPost = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['comment', 'channel']),
  state: Type.Enum(['pending', 'rejected']),
  /** Why it was refused; empty while it is pending. */
  reason: Type.String(),
  /** A number is assigned on publication. */
  number: Type.Null(),
  createdAt: Instant,
  /** The channel of a comment; null for a channel. */
  channelId: Nullable(Type.String()),
  /** The text of a comment. */
  comment: Type.String(),
  mentions: Type.Array(Mention),
  /** The images of a comment; their URLs are valid for ten minutes. */
  images: Type.Array(CommentImage),
  /** The files of a comment; their URLs are valid for ten minutes. */
  files: Type.Array(CommentFile),
  replyTo: Nullable(Type.Integer()),
  /** The dates of a comment. */
  event: Nullable(NewEvent),
  /** The poll of a comment. */
  poll: Nullable(NewPoll),
  /** The fields of a channel. */
  ...Type.Pick(Channel, ['name', 'description', 'cover', 'coverAlt']).properties,
});
export type PendingPost = Static<typeof PendingPost>;
export const PendingList = Type.Object({ data: Type.Array(PendingPost) });
export type PendingList = Static<typeof PendingList>;
