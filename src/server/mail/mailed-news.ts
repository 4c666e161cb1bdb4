import type { Selectable } from 'kysely';
import { decisionNotificationLink } from '../../shared/decision-texts.ts';
import { commentLink, pageRoutes } from '../../shared/routes.ts';
import type { Database, Tables } from '../database/tables.ts';
import { listNewNotifications } from '../forum/notifications/notifications.ts';
import { listFollowed } from '../forum/reading/channel-levels.ts';
import type { newsMessage } from './messages/messages.ts';

/** Maximum number of lines in a mail, for notifications merged by channel and kind, and for followed channels. */
const mostLines = 10;

type News = Pick<Parameters<typeof newsMessage>[1], 'lines' | 'more' | 'channels'>;

/** The range of notifications and decisions that a message is about. */
type Range = Parameters<typeof listNewNotifications>[2];

/**
 * The decisions and notifications of a range that are still new, as lines of a message.
 * @param origin what links begin with
 */
export async function findNewsLines(
  db: Database,
  accountId: string,
  range: Range,
  origin: string,
  shown: Parameters<typeof listNewNotifications>[3],
): Promise<Pick<News, 'lines' | 'more'> & { channelIds: (string | undefined)[] }> {
  const { decisions, data, more } = await listNewNotifications(db, accountId, range, shown);
  return {
    lines: [
      ...decisions.map((decision) => ({
        ...{ kind: decision.kind, action: decision.action, subject: decision.subject },
        ...{ channelName: decision.channel?.name ?? '', excerpt: decision.excerpt },
        link: origin + decisionNotificationLink(decision),
      })),
      ...data.map(({ kind, people, count, channel, number, excerpt }) => ({
        ...{ kind, count, excerpt, channelName: channel.name },
        people: people.map(({ name }) => name),
        link: origin + commentLink(channel._id, number),
      })),
    ],
    more,
    channelIds: [...decisions, ...data].map(({ channel }) => channel?._id),
  };
}

/**
 * The decisions and notifications of a mail that are still new, and the unread counts of the channels that the account
 * follows.
 * @param isForDecisions whether the account is told of decisions only
 * @returns also the channel, if all are about a single one; undefined when nothing is new and visible
 */
export async function findMailedNews(
  db: Database,
  mail: Pick<
    Selectable<Tables['mails']>,
    'account_id' | 'after_notification_id' | 'notification_id' | 'after_decision_id' | 'decision_id'
  >,
  origin: string,
  { isForDecisions, nowMs }: { isForDecisions: boolean; nowMs: number },
): Promise<(News & { channelId: string | undefined }) | undefined> {
  const range = {
    after: { notification: mail.after_notification_id, decision: mail.after_decision_id },
    upTo: { notification: mail.notification_id, decision: mail.decision_id },
  };
  const shown = { most: mostLines, isForDecisions, nowMs };
  const { channelIds, ...news } = await findNewsLines(db, mail.account_id, range, origin, shown);
  if (news.lines.length === 0) return undefined;
  const followed = isForDecisions ? [] : await listFollowed(db, mail.account_id);
  const [first, ...others] = new Set(channelIds);
  return {
    ...news,
    channels: followed
      .filter(({ unread }) => unread > 0)
      .slice(0, mostLines)
      .map(({ _id, name, unread }) => ({ name, unread, link: origin + pageRoutes.channel(_id) })),
    channelId: others.length === 0 && news.more === 0 ? first : undefined,
  };
}
