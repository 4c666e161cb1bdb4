import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Bin } from '../../src/shared/bin.ts';
import type { ChannelPage } from '../../src/shared/channels.ts';
import type { Comment } from '../../src/shared/comments.ts';
import type { Person } from '../../src/shared/people.ts';
import type { ForumClient } from './forum-client.ts';

/** What is asked for besides the channels that the site lists. */
export interface DescribedSite {
  /** Ids of channels that are hidden, deleted or erased. */
  hidden: string[];
  /** Ids of accounts. */
  people: string[];
  /** E-mail addresses and passwords of those whose bin is read. */
  signIns: [email: string, password: string][];
  /** URLs of images. */
  images: string[];
}

/** What a site shows, a line for each thing. Mentions are in brackets, with the name that pages show. */
export async function describeSite(client: ForumClient, site: DescribedSite): Promise<string[]> {
  const lines: string[] = [];
  const url = `${apiRoutes.channels}?limit=100&comments=0&sort=`;
  for (const order of ['new', 'comments', 'activity']) {
    const { data } = await client.json<ChannelPage>('GET', url + order);
    lines.push(`${order}: ${data.map(({ name }) => name).join(', ')}`);
    if (order !== 'new') continue;
    for (const { _id, comments, createdAt, lastCommentAt, closedAt, editedAt, ...rest } of data) {
      lines.push('', JSON.stringify({ ...rest, isClosed: closedAt !== null, editedAt }));
      lines.push(...(await client.allComments(_id)).map(describeComment));
    }
  }
  lines.push('');
  for (const id of site.hidden) {
    for (const path of [apiRoutes.channel(id), apiRoutes.channelComments(id)]) {
      lines.push(`channel ${id}: ${(await client.call('GET', path)).status}`);
    }
  }
  for (const id of site.people) {
    const person = await client.call('GET', apiRoutes.user(id));
    const { name, img, channelCount } = (await person.json()) as Partial<Person>;
    lines.push(JSON.stringify({ status: person.status, name, img, channelCount }));
  }
  for (const image of site.images) {
    lines.push(`${image} ${(await client.call('GET', image)).status}`);
  }
  for (const [email, password] of site.signIns) {
    const { token } = (await (await client.signIn(email, password)).json()) as { token: string };
    const bin = await client.json<Bin>('GET', apiRoutes.bin, { token });
    lines.push(`bin of ${email}: ${bin.channels.map(({ name }) => name).join(', ')}`);
    lines.push(
      ...bin.data.map(({ comment, channelName }) => `${channelName} ${describeComment(comment)}`),
    );
  }
  return lines;
}

function describeComment(comment: Comment): string {
  const { number, autor, autorImg, revision, editedAt, replyTo, replyAutor, replyExcerpt } =
    comment;
  const parts: string[] = [];
  let end = 0;
  for (const { start, length, name } of comment.mentions) {
    parts.push(comment.comment.slice(end, start), `[${name}]`);
    end = start + length;
  }
  parts.push(comment.comment.slice(end));
  const facts = {
    ...(autorImg === '/default-avatar.svg' ? {} : { img: autorImg }),
    ...(revision === 1 ? {} : { revision, isMarked: editedAt !== null }),
    ...(replyTo === null ? {} : { replyTo, replyAutor, replyExcerpt }),
    ...(comment.replyCount === 0 ? {} : { replies: comment.replyCount }),
    ...(comment.thanks.count === 0 ? {} : { thanks: comment.thanks }),
    // Bins sign the addresses of images.
    ...(comment.images.length === 0
      ? {}
      : { images: comment.images.map(({ url, alt }) => [url.split('?')[0], alt]) }),
  };
  return `${number} ${autor}: ${JSON.stringify(parts.join(''))} ${JSON.stringify(facts)}`;
}
