import { announcedText } from '../../../shared/announced-text.ts';
import { whenAndWhere } from '../../../shared/event-change-texts.ts';
import type { AnyNotification } from '../../../shared/notifications.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import type { Database } from '../../database/tables.ts';
import { findComment } from '../../forum/comments/comment-queries.ts';
import { answerPath, answers, answerTexts } from '../../forum/events/answer-links.ts';
import type { MailMaker } from '../../mail/make-mail.ts';
import type { Place } from '../../mail/messages/compose.ts';
import { unsubscribing } from '../../mail/unsubscribe.ts';
import { levelOf, settingsInForce } from '../../site-settings/site-settings.ts';
import { listFollowed } from '../channel-levels.ts';
import { listNewNotifications } from '../list-notifications.ts';
import { kindsToldTo } from '../told-news.ts';
import { type AnswerLinks, newsMessage } from './news-message.ts';
import { isMailedAs } from './unseen-news.ts';

/** Maximum number of lines in a mail, for notifications merged by channel and kind, and for followed channels. */
const mostLines = 10;

/**
 * Makes the mail about what is still new of the notifications that it covers, with what the account may be told. A digest
 * also names followed channels.
 */
export const makeNewsMail: MailMaker = async ({ db, now }, place, mail, account, isBare) => {
  const isNotice = mail.kind === 'notices';
  const isWanted = isNotice ? account.important === 'now' : account.mail_every !== 'never';
  if (account.email_confirmed_at_ms === null || !isWanted) return undefined;
  const community = levelOf(await settingsInForce(db));
  const follow = account.follow ?? community;
  const kinds = await kindsToldTo(db, account, now(), (notification) =>
    isMailedAs(mail.kind, notification, {
      follow: account.tells_channels === 1 ? community : 'mine',
      important: account.important,
    }),
  );
  const range = { after: mail.after_notification_id, upTo: mail.notification_id };
  const shownKinds = {
    most: mostLines,
    kinds,
    follow,
    mailedNotice: isNotice ? 0 : account.mailed_notice_id,
  };
  const news = await listNewNotifications(db, account.id, range, shownKinds);
  const texts = await findAnnouncementTexts(db, account.id, news.data, now());
  // An announcement is not mailed after its day, nor to whoever has acknowledged it.
  const data = news.data.filter(({ id, kind }) => kind !== 'announcement' || texts.has(id));
  const { more } = news;
  if (data.length === 0) return undefined;
  const { links, headers } = await unsubscribing(
    db,
    place,
    account.id,
    isNotice ? 'notices' : 'news',
  );
  const shown = isBare
    ? { notifications: [], more: data.length + more, channels: [] }
    : { notifications: data, more, ...(await findFollowed()) };
  const [channelId, ...others] = new Set(data.map(({ channel }) => channel?._id));
  const isOfOne = others.length === 0 && more === 0 && channelId !== undefined;
  return {
    message: newsMessage(place, {
      name: account.name,
      ...shown,
      ...links,
      answers: await findAnswerLinks(db, place, account.id, data),
      texts,
    }),
    headers,
    references: isOfOne ? `channel-${channelId.replace(/[^\w-]/g, '')}` : 'news',
  };

  /** The unread channels that the account follows, apart from those that a notification names. */
  async function findFollowed() {
    // Only who may read is told of replies.
    if (isNotice || !kinds.includes('reply')) return { channels: [] };
    const followed = await listFollowed(db, account.id, follow);
    const unread = new Map(followed.map((channel) => [channel._id, channel.unread]));
    const named = data.filter(({ kind }) => kind === 'comment').map(({ channel }) => channel?._id);
    const channels = followed
      .filter((channel) => channel.unread > 0 && !named.includes(channel._id))
      .slice(0, mostLines)
      .map(({ _id, name, unread }) => ({
        name,
        unread,
        link: place.publicUrl + pageRoutes.channel(_id),
      }));
    return { channels, unread };
  }
};

/** The whole texts of announcements that still stand on top of home for the account, by the ids of the notifications. */
async function findAnnouncementTexts(
  db: Database,
  accountId: string,
  notifications: AnyNotification[],
  nowMs: number,
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const { id, kind, channel, number } of notifications) {
    if (kind !== 'announcement' || !channel || number === null) continue;
    const comment = await findComment(db, { channelId: channel._id, number });
    const isOver = await db
      .selectFrom('announcements')
      .select('number')
      .where('channel_id', '=', channel._id)
      .where('number', '=', number)
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          eb('ends_at_ms', '<=', nowMs),
          exists(
            selectFrom('acknowledgements')
              .select('account_id')
              .where('account_id', '=', accountId)
              .where('acknowledgements.channel_id', '=', channel._id)
              .where('acknowledgements.number', '=', number),
          ),
        ]),
      )
      .executeTakeFirst();
    if (comment && !isOver) found.set(id, announcedText(comment));
  }
  return found;
}

/** Dates of one notification that have links. */
const linkedDates = 5;

/** The links that answer for dates that take place, by the ids of the notifications. */
async function findAnswerLinks(
  db: Database,
  { publicUrl }: Place,
  accountId: string,
  notifications: AnyNotification[],
): Promise<Map<number, AnswerLinks[]>> {
  const found = new Map<number, AnswerLinks[]>();
  for (const one of notifications) {
    if (!('dates' in one) || !one.channel) continue;
    const dates: AnswerLinks[] = [];
    for (const date of one.dates.filter(({ cancelled }) => !cancelled).slice(0, linkedDates)) {
      const place = { channelId: one.channel._id, number: one.number, position: date.position };
      const links: AnswerLinks['links'] = [];
      for (const answer of answers) {
        const url = publicUrl + (await answerPath(db, accountId, place, answer));
        links.push({ text: answerTexts[answer], url });
      }
      dates.push({ text: whenAndWhere(date), links });
    }
    found.set(one.id, dates);
  }
  return found;
}
