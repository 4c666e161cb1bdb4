import type { User } from '../../src/shared/accounts.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import type { Comment } from '../../src/shared/comments.ts';

/** Made-up values for tests of the client's state. */
export const lucia: User = { id: 'u1', name: 'Lucía', email: 'lucia@ejemplo.es', img: null };

export function commentNo(number: number, channelId = 'c1', autorId = 'u1'): Comment {
  return {
    id: commentId(channelId, number),
    channelId,
    number,
    autor: 'Lucía',
    autorId,
    autorImg: '',
    comment: `comentario ${number}`,
    createdAt: '2026-11-20T10:00:00.000Z',
    revision: 1,
    editedAt: null,
    replyTo: null,
    replyAutor: '',
    replyExcerpt: '',
    replyCount: 0,
    mentions: [],
    images: [],
    thanks: { count: 0, names: [] },
  };
}

export function commentsNo(first: number, last: number, channelId = 'c1'): Comment[] {
  return Array.from({ length: last - first + 1 }, (_, index) =>
    commentNo(first + index, channelId),
  );
}

export function channelWith(
  _id: string,
  commentCount: number,
  more: Partial<Channel> = {},
): Channel {
  return {
    _id,
    name: `Canal ${_id}`,
    description: 'Para hablar',
    coverAlt: '',
    cover: '/files/images/portada.jpg',
    autor: 'Lucía',
    autorId: 'u1',
    autorImg: '',
    comments: [],
    commentCount,
    removedCount: 0,
    createdAt: '2026-11-01T10:00:00.000Z',
    revision: 1,
    editedAt: null,
    closedAt: null,
    isPinned: false,
    lastCommentAt: null,
    ...more,
  };
}
