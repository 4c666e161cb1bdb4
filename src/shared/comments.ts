import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Id, Instant, ListOf, Text } from './schema.ts';

export const Comment = Type.Object(
  {
    id: Type.String({ description: "The channel's id, a dash, and the comment's number in it." }),
    channelId: Type.String(),
    autor: Type.String(),
    autorId: Type.String(),
    autorImg: Type.String({ description: 'Empty when the author has no image.' }),
    comment: Type.String(),
    createdAt: Instant,
  },
  { $id: 'Comment' },
);
export type Comment = Static<typeof Comment>;

export const CommentPage = ListOf(Comment);
export type CommentPage = Static<typeof CommentPage>;

/** Body of a new comment. The author is the account of the token; the body's is ignored. */
export const NewComment = Type.Object({
  id: Id({ description: "The channel's id." }),
  comment: Text(limits.commentChars),
  autor: Type.Optional(Type.Unknown()),
  autorId: Type.Optional(Id()),
  autorImg: Type.Optional(Type.Unknown()),
});
export type NewComment = Static<typeof NewComment>;
