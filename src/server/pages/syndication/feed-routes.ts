import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Channel } from '../../../shared/channels.ts';
import type { Comment } from '../../../shared/comments.ts';
import { changeText, whenAndWhere } from '../../../shared/event-change-texts.ts';
import { ownWords } from '../../../shared/own-words.ts';
import { assetRoutes, commentLink, homeUrl, pageRoutes } from '../../../shared/routes.ts';
import { siteNameOf } from '../../../shared/site-name.ts';
import { wholeCharacters } from '../../../shared/whole-characters.ts';
import type { Database } from '../../database/tables.ts';
import { listChannels, requireChannel } from '../../forum/channels/channel-queries.ts';
import { listComments } from '../../forum/comments/comment-pages.ts';
import type { App } from '../../http/app-type.ts';
import { CachedResponse } from '../../http/cache/cached-response.ts';
import { cachedRoute, type ResponseCache } from '../../http/cache/response-cache.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { variantName } from '../../images/stores/storage-keys.ts';
import type { Config } from '../../system/settings/config.ts';
import { originOf, pathOf } from '../render-page.ts';
import { atomOf } from './atom.ts';
import { feedPaths } from './head-links.ts';

const entriesPerFeed = 50;
/** Keeps every feed small enough for the response cache. */
const entryChars = 1000;
/** Size of images, in pixels. */
const shownWidth = 1000;

interface Site {
  name: string;
  welcome: string;
}

interface FeedServices {
  db: Database;
  responses: ResponseCache;
  config: Pick<Config, 'publicUrl'>;
  settings: () => Promise<Site>;
}

/** Serves the newest channels, and the newest comments of each channel, as Atom feeds. */
export function feedRoutes(app: App, { db, responses, config, settings }: FeedServices): void {
  const common = {
    // Feeds contain the site's origin.
    keyPrefix: (request: FastifyRequest) => originOf(request, config),
    respond: (_reply: FastifyReply, xml: string) =>
      new CachedResponse(xml, {
        'content-type': 'application/atom+xml; charset=utf-8',
        'cache-control': 'public, no-cache',
      }),
  };
  cachedRoute(app, responses, feedPaths.channels, {
    ...common,
    schema: { hide: true },
    read: (request) => ({
      url: pathOf(request),
      load: async () => {
        const { data } = await listChannels(db, { order: 'new', limit: entriesPerFeed, embed: 0 });
        return channelsFeed(await settings(), data, originOf(request, config));
      },
    }),
  });
  cachedRoute(app, responses, feedPaths.channel(':id'), {
    ...common,
    schema: { hide: true, params: Type.Object({ id: Type.String() }) },
    read: (request) => ({
      url: pathOf(request),
      channelId: request.params.id,
      load: async () => {
        const channel = await requireChannel(db, request.params.id, 0);
        const { data } = await listComments(db, channel, {
          limit: entriesPerFeed,
          range: { before: channel.commentCount + channel.removedCount + 1 },
        });
        return channelFeed(await settings(), channel, data, originOf(request, config));
      },
    }),
  });
}

function channelsFeed(site: Site, channels: Channel[], origin: string) {
  return atomOf({
    feedUrl: origin + feedPaths.channels,
    pageUrl: origin + homeUrl('new'),
    title: siteNameOf(site),
    subtitle: site.welcome,
    createdAt: new Date(0).toISOString(),
    entries: channels.map((channel) => ({
      url: origin + pageRoutes.channel(channel._id),
      title: channel.name,
      author: channel.autor,
      html: htmlOf(channel.description),
      createdAt: channel.createdAt,
      editedAt: channel.editedAt,
    })),
  });
}

function channelFeed(site: Site, channel: Channel, comments: Comment[], origin: string) {
  return atomOf({
    feedUrl: origin + feedPaths.channel(channel._id),
    pageUrl: origin + pageRoutes.channel(channel._id),
    title: `${channel.name} · ${siteNameOf(site)}`,
    subtitle: channel.description,
    createdAt: channel.createdAt,
    entries: comments.toReversed().map((comment) => ({
      url: origin + commentLink(channel._id, comment.number),
      title: `${comment.autor}: ${ownWords(comment.comment) || comment.event?.title || 'Imagen'}`,
      author: comment.autor,
      html: htmlOf(comment.comment) + datesOf(comment) + imagesOf(comment, origin),
      createdAt: comment.createdAt,
      editedAt: comment.editedAt,
    })),
  });
}

/** The beginning of a plain text, with its line breaks. */
function htmlOf(text: string): string {
  const begin = wholeCharacters(text, entryChars - 1);
  const shown = begin === text ? text : `${begin}…`;
  return shown && `<p>${escapeHtml(shown).replaceAll('\n', '<br>')}</p>`;
}

function datesOf({ event }: Comment): string {
  if (!event) return '';
  const { title, location, dates } = event;
  const lines = dates.map((date) => {
    const text = { ...date, location, before: null };
    return `<li>${escapeHtml(date.cancelled ? changeText(text) : whenAndWhere(text))}</li>`;
  });
  return `<p>${escapeHtml(title)}</p><ul>${lines.join('')}</ul>`;
}

function imagesOf({ images }: Comment, origin: string): string {
  return images
    .map(({ url, alt }) => {
      const source = origin + assetRoutes.variant(url, variantName(shownWidth));
      return `<p><img src="${escapeHtml(source)}" alt="${escapeHtml(alt)}"></p>`;
    })
    .join('');
}
