import Type, { type Static } from 'typebox';
import { Instant, ListOf } from './schema.ts';

export const Comment = Type.Object(
  {
    id: Type.String({ description: "The channel's id, a dash, and the comment's number in it." }),
    channelId: Type.String(),
    autor: Type.String(),
    autorId: Type.String(),
    autorImg: Type.String({ description: 'Empty when the author has no picture.' }),
    comment: Type.String(),
    createdAt: Instant,
  },
  { $id: 'Comment' },
);
export type Comment = Static<typeof Comment>;

export const CommentPage = ListOf(Comment);
export type CommentPage = Static<typeof CommentPage>;

/** What the comment form sends. Who writes is decided by the token, never by the body. */
export const NewComment = Type.Object({
  id: Type.String({ description: "The channel's id." }),
  comment: Type.String(),
  autor: Type.Optional(Type.Unknown()),
  autorId: Type.Optional(Type.String()),
  autorImg: Type.Optional(Type.Unknown()),
});
export type NewComment = Static<typeof NewComment>;
