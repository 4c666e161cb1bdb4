import Type, { type Static } from 'typebox';
import { Comment } from './comments.ts';
import { limits } from './limits.ts';
import { Instant, ListOf } from './schema.ts';

const times = {
  deletedAt: Instant,
  expiresAt: Type.String({
    format: 'date-time',
    description: 'Hasta cuándo se puede recuperar; después se borra del todo.',
  }),
};

export const DeletedComment = Type.Object({
  comment: Comment,
  channelName: Type.String(),
  ...times,
});
export type DeletedComment = Static<typeof DeletedComment>;

export const DeletedChannel = Type.Object({
  channelId: Type.String(),
  name: Type.String(),
  commentCount: Type.Integer(),
  ...times,
});
export type DeletedChannel = Static<typeof DeletedChannel>;

/** Deleted items that the caller can restore, newest first. */
export const Trash = Type.Object({
  ...ListOf(DeletedComment).properties,
  channels: Type.Array(DeletedChannel, {
    description: `Como mucho, ${limits.listItems}; solo en la primera página.`,
  }),
});
export type Trash = Static<typeof Trash>;
