import Type, { type Static } from 'typebox';
import { Comment } from './comments.ts';
import { limits } from './limits.ts';
import { Id, Instant, ListOf, Text } from './schema.ts';

export const Channel = Type.Object(
  {
    _id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    cover: Type.String({ description: 'Image URL: a path of this site or an https address.' }),
    coverAlt: Type.String({ description: 'Alternative text of the cover; may be empty.' }),
    autor: Type.String(),
    autorId: Type.String(),
    autorImg: Type.String({ description: 'Empty when the author has no image.' }),
    comments: Type.Array(Comment, {
      description:
        'Los más antiguos, tantos como se piden; menos si la respuesta pasara de 4 MB. `commentCount` dice cuántos hay.',
    }),
    commentCount: Type.Integer({ description: 'How many there are in all.' }),
    removedCount: Type.Integer({
      description: 'How many numbers the list of comments skips, because they are shown no more.',
    }),
    createdAt: Instant,
  },
  { $id: 'Channel' },
);
export type Channel = Static<typeof Channel>;

export const ChannelPage = ListOf(Channel);
export type ChannelPage = Static<typeof ChannelPage>;

/** Body of a new channel. The author is the account of the token; the body's is ignored. */
export const NewChannel = Type.Object({
  name: Text(limits.channelNameChars),
  description: Text(limits.descriptionChars),
  cover: Text(limits.imageUrlChars),
  coverAlt: Type.Optional(Text(limits.coverAltChars)),
  autor: Type.Optional(Type.Unknown()),
  autorId: Type.Optional(Id()),
  autorImg: Type.Optional(Type.Unknown()),
});
export type NewChannel = Static<typeof NewChannel>;
