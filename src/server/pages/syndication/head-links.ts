import type { Channel } from '../../../shared/channels.ts';
import { erasedName } from '../../../shared/erased-name.ts';
import type { RenderInput } from '../../../shared/page-data.ts';
import { pageRoutes, segment } from '../../../shared/routes.ts';
import { siteNameOf } from '../../../shared/site-name.ts';
import { escapeHtml } from '../../http/escape-html.ts';

export const feedPaths = {
  channels: '/feeds/channels.atom',
  channel: (id: string) => `/feeds/${segment(id)}.atom`,
};

/**
 * Elements of the head by which feed readers and search engines know what a page is about. In a community of members
 * there are none.
 */
export function discoveryElements({ pageData, site }: RenderInput, origin: string): string {
  if (site.readers === 'members') return '';
  if (pageData.page === 'home') return feedLink(siteNameOf(site), feedPaths.channels);
  if (pageData.page !== 'channel') return '';
  const { channel } = pageData;
  const posting = jsonForScript(discussionPosting(channel, origin));
  return (
    feedLink(channel.name, feedPaths.channel(channel._id)) +
    `<script type="application/ld+json">${posting}</script>`
  );
}

function feedLink(title: string, path: string): string {
  return `<link rel="alternate" type="application/atom+xml" title="${escapeHtml(title)}" href="${escapeHtml(path)}">`;
}

/** The channel as schema.org describes it. Its comments are left out, since a third copy would make pages much longer. */
function discussionPosting(channel: Channel, origin: string) {
  const { _id, name, description, autor, autorId, createdAt, editedAt, commentCount } = channel;
  return {
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    url: origin + pageRoutes.channel(_id),
    headline: name,
    text: description,
    author: {
      '@type': 'Person',
      name: autor,
      ...(autor !== erasedName && { url: origin + pageRoutes.user(autorId) }),
    },
    datePublished: createdAt,
    ...(editedAt && { dateModified: editedAt }),
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/CommentAction',
      userInteractionCount: commentCount,
    },
  };
}

/** Escapes JSON, so that no text in it can end the script element or start a comment. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
