import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { eventually } from '../../../../test/eventually.ts';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import type { Person } from '../../../../test/forum/forum.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { comment, decided, staff, undone, user } from '../../../../test/forum/moderators.ts';
import { readZip } from '../../../../test/forum/read-zip.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { StoredFile } from '../../../shared/images.ts';
import type { DecisionSubject } from '../../../shared/moderation.ts';
import type { PendingPost } from '../../../shared/pending.ts';
import type { News, Person as PublicPerson } from '../../../shared/people.ts';
import { pageRoutes, searchUrl, withQuery } from '../../../shared/routes.ts';
import { buildIndex } from '../../search/index/build-index.ts';

/** Unique texts, so that they are found wherever they are shown. */
const marks = {
  comment: 'quetzalcomenta',
  answer: 'quetzalresponde',
  channel: 'Quetzalcanal',
  description: 'quetzaldescribe',
  name: 'Quetzalina Vizcacha',
  pending: 'quetzalespera',
  pendingChannel: 'Quetzalretenido',
};
type Mark = keyof typeof marks;

onBothEngines('hidden content', (forum) => {
  let ana: Person;
  let bea: Person;
  let eva: Person;
  let author: Person;
  let shared: Channel;
  let own: Channel;
  let image: string;
  let cover: string;
  let avatar: string;

  async function upload(owner: Person, width: number, use: string): Promise<string> {
    const png = await quarters(width, 40).png().toBuffer();
    const stored = await forum().upload(owner, png, { filename: `${use}-${width}.png`, use });
    return ((await stored.json()) as StoredFile).downloadURL;
  }

  before(async () => {
    [ana, bea, eva] = [
      await forum().person('Ana'),
      await forum().person('Bea'),
      await staff(forum()),
    ];
    author = await forum().person(marks.name);
    [image, cover, avatar] = [
      await upload(author, 61, 'comment'),
      await upload(author, 62, 'cover'),
      await upload(author, 63, 'avatar'),
    ];
    const { token, id } = author;
    await forum().json('PUT', apiRoutes.updateImage, { token, body: { id, img: avatar } });
    shared = await forum().channel(ana, 'Plaza');
    own = await forum().json<Channel>('POST', apiRoutes.channels, {
      token,
      body: { name: marks.channel, description: marks.description, cover },
    });
    // 1: thanked by the author; 2: the author's reply to it; 3: a reply that quotes it; 4: mentions the author.
    await forum().comment(ana, shared._id, 'Buenos días');
    await forum().comment(author, shared._id, `${marks.comment} a todas`, {
      replyTo: 1,
      images: [{ url: image, alt: '' }],
    });
    await forum().comment(bea, shared._id, 'Gracias', {
      ...{ replyTo: 2, replyExcerpt: marks.comment },
    });
    await forum().comment(bea, shared._id, `Hola, @${marks.name}`, {
      mentions: [{ start: 6, length: 1 + marks.name.length, accountId: id }],
    });
    await forum().comment(bea, own._id, marks.answer);
    await forum().comment(bea, own._id, '@Ana', {
      mentions: [{ start: 0, length: 4, accountId: ana.id }],
    });
    const followed = { token: ana.token, body: { level: 'all' } };
    await forum().json('PUT', apiRoutes.level(own._id), followed);
    await forum().json('PUT', apiRoutes.thanks(shared._id, 1), { token });
    await forum().json('PUT', apiRoutes.thanks(shared._id, 2), bea);
    const reads = [shared, own].map(({ _id: channelId }) => ({ channelId, number: 1 }));
    await forum().json('PUT', apiRoutes.reads, { token: ana.token, body: reads });
    await buildIndex(forum().services, new AbortController().signal);
  });

  /** Every URL that visitors, and people unrelated to the author, can read. */
  function publicUrls(): string[] {
    const words = ['quetzal', ...Object.values(marks), marks.name.split(' ')[1] ?? ''];
    const misspelt = [marks.comment, marks.channel, marks.pending].map((word) =>
      word.toLowerCase().replace('quetzal', 'quetzl'),
    );
    const searches = [...words, ...misspelt].flatMap((q) => [
      withQuery(apiRoutes.search, { q, sort: 'relevance' }),
      withQuery(apiRoutes.search, { q, exact: 1 }),
      withQuery(apiRoutes.search, { q, channel: shared._id }),
      searchUrl({ q }),
    ]);
    searches.push(
      ...['quetz', 'quetzalc', 'vizc'].map((q) => withQuery(apiRoutes.search, { q, typing: 1 })),
      withQuery(apiRoutes.search, { q: `"${marks.comment} a todas"`, author: bea.id }),
    );
    return [
      ...[pageRoutes.home, `${pageRoutes.home}?sort=activity`, `${pageRoutes.home}?sort=new`],
      ...[pageRoutes.rules, pageRoutes.log, apiRoutes.rules, apiRoutes.log],
      ...['comments', 'activity', 'new'].map((sort) => withQuery(apiRoutes.channels, { sort })),
      ...[shared._id, own._id].flatMap((id) => [
        ...[pageRoutes.channel(id), `${pageRoutes.channel(id)}?n=2`, apiRoutes.channel(id)],
        `${apiRoutes.channel(id)}?comments=0`,
        ...[apiRoutes.channelComments(id), `${apiRoutes.channelComments(id)}?around=2`],
        `${apiRoutes.channelComments(id)}?before=${commentId(id, 9)}`,
        ...[1, 2].flatMap((number) => [
          apiRoutes.replies(id, number),
          apiRoutes.thanks(id, number),
        ]),
      ]),
      ...[ana, bea, author].flatMap(({ id }) => [
        ...[pageRoutes.user(id), apiRoutes.user(id)],
        ...[apiRoutes.userChannels(id), apiRoutes.userComments(id)],
      ]),
      ...searches,
    ];
  }

  const personalUrls = () => [
    ...[
      apiRoutes.trash,
      apiRoutes.pendingPosts,
      apiRoutes.ownDecisions,
      apiRoutes.me,
      apiRoutes.notifications,
    ],
    withQuery(apiRoutes.news, { channels: `${shared._id},${own._id}` }),
    ...['quetzal', 'vizcacha', ''].flatMap((prefix) =>
      [shared._id, own._id].map((channel) =>
        withQuery(apiRoutes.users, { channel, ...(prefix && { prefix }) }),
      ),
    ),
    ...[shared._id, own._id].map((id) => `${apiRoutes.thanked(id)}?from=1&to=100`),
  ];

  /** The text of a response, without the search query that search pages repeat and links that contain it. */
  async function read(url: string, token?: string): Promise<string> {
    const response = await forum().call('GET', url, token === undefined ? {} : { token });
    const text = await response.text();
    if (!url.startsWith(pageRoutes.search)) return text;
    const q = new URL(url, forum().url).searchParams.get('q') ?? '';
    return text.replaceAll(q, '').replaceAll(encodeURIComponent(q), '');
  }

  /** All texts shown, by URL. */
  async function readAll(): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    for (const url of publicUrls()) texts.set(url, await read(url));
    for (const url of personalUrls()) texts.set(url, await read(url, ana.token));
    const answer = await forum().call('GET', apiRoutes.export, { token: bea.token });
    // Bea wrote the reply.
    for (const [name, file] of readZip(Buffer.from(await answer.arrayBuffer())))
      texts.set(`export ${name}`, String(file).replaceAll(marks.answer, ''));
    for (const { _id: id } of [shared, own]) {
      if ((await forum().call('HEAD', apiRoutes.channel(id))).status !== 200) continue;
      const { length } = await forum().allComments(id);
      const live = await LiveReader.open(forum(), id, 0);
      const sent: string[] = [];
      while (sent.length < length) sent.push(JSON.stringify(await live.nextComment()));
      live.close();
      texts.set(`live ${id}`, sent.join('\n'));
    }
    return texts;
  }

  /** The addresses at which one of these marks or images is shown. */
  async function shownIn(
    texts: Map<string, string>,
    wanted: Mark[],
    images: string[],
  ): Promise<string[]> {
    const words = [...wanted.map((mark) => marks[mark]), ...images].map((one) => one.toLowerCase());
    const places = [...texts]
      .filter(([, text]) => words.some((word) => text.toLowerCase().includes(word)))
      .map(([place]) => place);
    for (const url of images) {
      for (const path of [url, apiRoutes.storedFile(url.replace('/files/', ''))])
        if ((await forum().call('GET', path)).status === 200) places.push(path);
    }
    return places;
  }

  async function counts() {
    const [channel] = [await forum().json<Channel>('GET', apiRoutes.channel(shared._id))];
    const all = await forum().allComments(shared._id);
    assert.equal(all.length, channel.commentCount);
    const { token } = ana;
    const url = withQuery(apiRoutes.news, { channels: shared._id });
    const { reads, unreadNotifications } = await forum().json<News>('GET', url, { token });
    const first = all.find(({ number }) => number === 1);
    return {
      comments: channel.commentCount,
      removed: channel.removedCount,
      answers: first?.replyCount,
      thanks: [first?.thanks.count, first?.thanks.names],
      unread: reads[shared._id]?.unread,
      notifications: unreadNotifications,
    };
  }
  const all = {
    ...{ comments: 4, removed: 0, answers: 1, unread: 3, notifications: 2 },
    thanks: [1, [marks.name]],
  };
  const withoutComment = {
    ...all,
    comments: 3,
    removed: 1,
    answers: 0,
    unread: 2,
    notifications: 1,
  };
  const withoutAuthor = { ...withoutComment, thanks: [0, []], notifications: 0 };

  const everything: Mark[] = ['comment', 'channel', 'description', 'answer', 'name'];
  const ways: {
    title: string;
    subject: () => DecisionSubject;
    action: string;
    hides: Mark[];
    images: () => string[];
    counted: object;
  }[] = [
    {
      title: 'a comment',
      subject: () => comment(shared._id, 2),
      action: 'hide',
      hides: ['comment'],
      images: () => [image],
      counted: withoutComment,
    },
    {
      title: 'a channel',
      subject: () => ({ kind: 'channel', id: own._id }),
      action: 'hide',
      hides: ['channel', 'description', 'answer'],
      images: () => [cover],
      counted: all,
    },
    {
      title: 'everything by a person',
      subject: () => user(author),
      action: 'hideAll',
      hides: everything,
      images: () => [image, cover, avatar],
      counted: withoutAuthor,
    },
  ];

  /** Responses read after the undo in the previous test, by address: the next test starts from them. */
  let earlier: Map<string, string> | undefined;

  for (const { title, subject, action, hides, images, counted } of ways) {
    test(`appears nowhere, and returns once the decision is undone: ${title}`, async () => {
      const shown = await shownIn(earlier ?? (await readAll()), hides, images());
      earlier = undefined;
      for (const url of [
        apiRoutes.notifications,
        ...(hides.includes('comment') ? [pageRoutes.channel(shared._id)] : []),
        ...(hides.includes('channel') ? [pageRoutes.home] : []),
        ...images(),
      ])
        assert.ok(shown.includes(url), url);
      assert.deepEqual(await counts(), all);
      const cached = await forum().call('GET', pageRoutes.channel(shared._id));
      const etag = cached.headers.get('etag') ?? '';
      const live = await LiveReader.open(forum(), shared._id);

      const decision = await decided(forum(), eva, { subject: subject(), action });
      const isCurrent = async (url: string) => {
        const headers = { 'if-none-match': etag };
        return (await forum().call('GET', url, { headers })).status === 200;
      };
      if (hides.includes('comment')) {
        await eventually('no cache answers as before', () =>
          isCurrent(pageRoutes.channel(shared._id)),
        );
        await live.untilChanged(action === 'hide' ? { numbers: [2] } : {});
      }
      live.close();
      // On PostgreSQL, caches are updated a moment later.
      await eventually(
        'the home page is as it is now',
        async () =>
          !(await read(pageRoutes.home)).includes(
            hides.includes('channel') ? marks.channel : marks.comment,
          ),
      );
      assert.deepEqual(await shownIn(await readAll(), hides, images()), []);
      assert.deepEqual(await counts(), counted);
      if (hides.includes('name')) {
        assert.equal((await forum().call('GET', apiRoutes.user(author.id))).status, 404);
        const { hiddenBy } = await forum().json<PublicPerson>(
          'GET',
          apiRoutes.user(author.id),
          eva,
        );
        assert.equal(hiddenBy, decision.id);
      }

      await undone(forum(), eva, decision);
      await eventually('the home page is as before', async () =>
        hides.includes('channel')
          ? (await read(pageRoutes.home)).includes(marks.channel)
          : (await read(pageRoutes.channel(shared._id))).includes(marks.comment),
      );
      // The replay of a live stream may end before the comment.
      const places = (found: string[]) => found.filter((place) => !place.startsWith('live '));
      const again = await readAll();
      assert.deepEqual(places(await shownIn(again, hides, images())), places(shown));
      assert.deepEqual(await counts(), all);
      earlier = again;
    });
  }

  test('includes everything by a person, even if the decision names one of their texts, or several people', async () => {
    const subjects: DecisionSubject[] = [
      comment(shared._id, 2),
      { kind: 'channel', id: own._id },
      { kind: 'users', ids: [author.id] },
    ];
    for (const subject of subjects) {
      const decision = await decided(forum(), eva, { subject, action: 'hideAll' });
      const seen = await forum().json<PublicPerson>('GET', apiRoutes.user(author.id), eva);
      assert.equal(seen.hiddenBy, decision.id);
      await undone(forum(), eva, decision);
    }
  });

  test('includes posts that wait for approval or were rejected', async () => {
    await reviewFirstPosts(forum());
    const newcomer = await forum().person(marks.name);
    const { token } = newcomer;
    const pendingPosts = [
      await forum().json<PendingPost>('PUT', apiRoutes.comment, {
        ...{ token, body: { id: shared._id, comment: marks.pending, replyTo: 1 } },
      }),
      await forum().json<PendingPost>('POST', apiRoutes.channels, {
        token,
        body: {
          name: marks.pendingChannel,
          description: marks.pending,
          cover: '/default-avatar.svg',
        },
      }),
    ];
    const before = await counts();
    assert.deepEqual(await shownIn(await readAll(), ['pending', 'pendingChannel'], []), []);
    for (const { kind, id } of pendingPosts)
      await decided(forum(), eva, { subject: { kind, id }, action: 'reject' });
    assert.deepEqual(await shownIn(await readAll(), ['pending', 'pendingChannel'], []), []);
    assert.deepEqual(await counts(), before);
    for (const url of [apiRoutes.user(newcomer.id), pageRoutes.user(newcomer.id)])
      assert.equal((await forum().call('GET', url)).status, 404);
    const people = withQuery(apiRoutes.users, { channel: shared._id, prefix: 'quetzal' });
    assert.ok(!(await read(people, ana.token)).includes(newcomer.id));
    await changeSettings(forum(), {});
  });
});
