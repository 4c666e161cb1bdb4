import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Id, Instant, Nullable, Text } from './schema.ts';

/** A range of the comment's text, in UTF-16 code units, that mentions a person. */
export const Mention = Type.Object({
  start: Type.Integer({ minimum: 0 }),
  length: Type.Integer({ minimum: 1 }),
  accountId: Type.String(),
  name: Type.String({ description: 'The current name of the account.' }),
});
export type Mention = Static<typeof Mention>;

export const CommentImage = Type.Object({
  url: Type.String({ description: 'An image of this site, uploaded with the use `comment`.' }),
  alt: Type.String({ description: 'Alternative text; may be empty.' }),
});
export type CommentImage = Static<typeof CommentImage>;

export const Thanks = Type.Object({
  count: Type.Integer(),
  names: Type.Array(Type.String(), {
    description: `Of those who gave thanks last, at most ${limits.thanksNames}.`,
  }),
});

export const Comment = Type.Object(
  {
    id: Type.String({ description: "The channel's id, a dash, and the comment's number in it." }),
    channelId: Type.String(),
    number: Type.Integer(),
    autor: Type.String(),
    autorId: Type.String(),
    autorImg: Type.String({ description: 'Empty when the author has no image.' }),
    comment: Type.String(),
    createdAt: Instant,
    revision: Type.Integer({ description: 'From 1; each edit raises it.' }),
    editedAt: Nullable(Instant),
    replyTo: Nullable(
      Type.Integer({ description: 'Number of the comment of this channel that it answers.' }),
    ),
    replyAutor: Type.String({
      description: 'Author of that comment; empty without one, or when it was deleted.',
    }),
    replyExcerpt: Type.String({
      description: 'Quotation of that comment; empty when it does not occur in it any more.',
    }),
    replyCount: Type.Integer({ description: 'Visible comments that answer it.' }),
    mentions: Type.Array(Mention),
    images: Type.Array(CommentImage),
    thanks: Thanks,
  },
  { $id: 'Comment' },
);
export type Comment = Static<typeof Comment>;

/** `next` and `previous` are what `after` and `before` take for the pages around; null at the ends. */
export const CommentPage = Type.Object({
  data: Type.Array(Comment),
  next: Nullable(Type.String()),
  previous: Nullable(Type.String()),
});
export type CommentPage = Static<typeof CommentPage>;

/** Mentions and images of a comment, as its author sends them. */
const content = {
  comment: Text(limits.commentChars),
  mentions: Type.Optional(
    Type.Array(Type.Object({ start: Type.Integer(), length: Type.Integer(), accountId: Id() }), {
      maxItems: limits.mentionsPerComment,
    }),
  ),
  images: Type.Optional(
    Type.Array(Type.Object({ url: Text(limits.imageUrlChars), alt: Text(limits.imageAltChars) }), {
      maxItems: limits.imagesPerComment,
    }),
  ),
};

/** Body of a new comment. The author is the account of the token; the body's is ignored. */
export const NewComment = Type.Object({
  id: Id({ description: "The channel's id." }),
  ...content,
  replyTo: Type.Optional(Nullable(Type.Integer())),
  replyExcerpt: Type.Optional(Text(limits.replyExcerptChars)),
  autor: Type.Optional(Type.Unknown()),
  autorId: Type.Optional(Id()),
  autorImg: Type.Optional(Type.Unknown()),
});
export type NewComment = Static<typeof NewComment>;

/** A new text of a comment with its mentions and images: those that are left out are removed. */
export const CommentEdit = Type.Object(content);
export type CommentEdit = Static<typeof CommentEdit>;
