import assert from 'node:assert/strict';
import { test } from 'node:test';
import { someDates } from '../../../test/forum/dated-comment.ts';
import { Forum } from '../../../test/forum/forum.ts';
import { uploadFile } from '../../../test/forum/upload-file.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { ChannelPage } from '../../shared/channels.ts';
import type { CalendarPage } from '../../shared/events.ts';
import type { DocumentPage } from '../../shared/files.ts';
import type { News } from '../../shared/people.ts';
import { withQuery } from '../../shared/routes.ts';
import { openDatabase } from './engine.ts';

test('a list takes as many queries for ten rows as for two', async () => {
  let asked = 0;
  await using forum = await Forum.start('sqlite', {}, (config) => ({
    db: openDatabase(config, {
      log({ query }) {
        // The server asks every second whether another process has written.
        if (query.sql !== 'pragma data_version') asked++;
      },
    }),
  }));
  const author = await forum.person('Ana');
  const { _id } = await forum.channel(author);
  await forum.comment(author, _id, 'Hola');
  for (let row = 0; row < 10; row++) {
    const other = await forum.person();
    const channel = await forum.channel(author, `Canal ${row}`);
    const mentions = [{ start: 0, length: 4, accountId: author.id }];
    await forum.comment(other, channel._id, '@Ana', { mentions });
    await forum.comment(author, channel._id, 'Gracias', { replyTo: 1 });
    await forum.comment(other, _id, '@Ana', { replyTo: 1, mentions });
    await forum.json('PUT', apiRoutes.thanks(_id, row + 1), { token: other.token });
  }

  const queriesFor = async (list: string, limit: number) => {
    asked = 0;
    const { data } = await forum.json<{ data: unknown[] }>('GET', withQuery(list, { limit }));
    assert.equal(data.length, limit, list);
    assert.notEqual(asked, 0, `the response of ${list} was not cached`);
    return asked;
  };
  for (const list of [
    apiRoutes.channels,
    apiRoutes.channelComments(_id),
    apiRoutes.replies(_id, 1),
    apiRoutes.userComments(author.id),
    apiRoutes.userChannels(author.id),
  ]) {
    assert.equal(await queriesFor(list, 10), await queriesFor(list, 2), list);
  }

  const year = someDates.dates[0]?.start.slice(0, 4);
  for (let row = 0; row < 10; row++) {
    const { _id: id } = await forum.channel(author, `Canal de fechas ${row}`);
    const dates = [{ start: `${year}-05-10T20:30` }, ...(row < 2 ? someDates.dates : [])];
    await forum.comment(author, id, '', { event: { ...someDates, dates } });
    const body = { date: 'all', answer: 'yes' };
    await forum.json('PUT', apiRoutes.rsvp(id, 1), { token: author.token, body });
  }
  const queriesForMonth = async (month: string, count: number) => {
    asked = 0;
    const from = `${year}-${month}`;
    const { data } = await forum.json<CalendarPage>('GET', withQuery(apiRoutes.calendar, { from }));
    assert.equal(data.length, count, from);
    return asked;
  };
  assert.equal(await queriesForMonth('05', 10), await queriesForMonth('06', 2), 'calendar');

  for (let row = 0; row < 10; row++) {
    const [other, channel] = [await forum.person(), await forum.channel(author)];
    const { downloadURL: url } = await uploadFile(forum, other, row < 2 ? 'acta.pdf' : 'otro.pdf');
    await forum.comment(other, channel._id, '', { files: [{ url }] });
  }
  const queriesForFiles = async (q: string, count: number) => {
    asked = 0;
    const list = withQuery(apiRoutes.documents, { q });
    assert.equal((await forum.json<DocumentPage>('GET', list)).data.length, count, q);
    return asked;
  };
  await queriesForFiles('pdf', 10);
  assert.equal(await queriesForFiles('pdf', 10), await queriesForFiles('acta', 2), 'files');

  const reader = await forum.person();
  const { data: channels } = await forum.json<ChannelPage>('GET', apiRoutes.channels);
  const body = channels.map(({ _id }) => ({ channelId: _id, number: 0 }));
  await forum.json('PUT', apiRoutes.reads, { token: reader.token, body });
  const queriesForNews = async (count: number) => {
    const ids = body.slice(0, count).map(({ channelId }) => channelId);
    asked = 0;
    const { reads } = await forum.json<News>('GET', `${apiRoutes.news}?channels=${ids}`, reader);
    assert.equal(Object.values(reads).filter(({ last }) => last).length, count);
    return asked;
  };
  await queriesForNews(1);
  assert.equal(await queriesForNews(10), await queriesForNews(2), 'news');
});
