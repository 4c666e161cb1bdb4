import { sql } from 'kysely';
import { ownWords } from '../../../shared/own-words.ts';
import type { OpenPoll } from '../../../shared/polls.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { findNames } from '../../texts/mention-names.ts';
import type { StoredText } from '../../texts/stored-text.ts';
import { beginning, readBeginning } from '../../texts/text-beginnings.ts';
import { excerptChars } from '../comments/comment-details.ts';
import { isPollVisible } from './poll-rows.ts';

interface Row {
  channel_id: string;
  channel_name: string;
  number: number;
  closes_at_ms: number;
  text: StoredText;
  option: StoredText;
}

/** Open polls that visitors see, those that close soonest first. @param channelId only those of this channel */
export async function listOpenPolls(
  db: Database,
  limit: number,
  channelId?: string,
): Promise<OpenPoll[]> {
  const isMeant = channelId === undefined ? sql`true` : sql`polls.channel_id = ${channelId}`;
  const { rows } = await sql<Row>`
    select polls.channel_id, polls.number, closes_at_ms,
      (select name from channels where channels.id = polls.channel_id) as channel_name,
      (select ${readBeginning('comments.text')} from comments
        where comments.channel_id = polls.channel_id and comments.number = polls.number) as text,
      (select poll_options.text from poll_options where poll_options.channel_id = polls.channel_id
        and poll_options.number = polls.number and position = 0) as option
    from polls
    where closed_at_ms is null and ${isMeant} and ${isPollVisible}
    order by closes_at_ms, polls.channel_id, polls.number limit ${limit}`.execute(db);
  const texts = rows.map(({ text, option }) => ownWords(text) || option);
  const names = await findNames(db, texts as StoredText[]);
  return rows.map(({ channel_id, channel_name, number, closes_at_ms }, index) => ({
    channel: { _id: channel_id, name: channel_name },
    number,
    title: beginning(texts[index] as StoredText, names, excerptChars),
    closesAt: toInstant(closes_at_ms),
  }));
}
