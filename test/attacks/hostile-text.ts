import assert from 'node:assert/strict';
import { test } from 'node:test';
import pLimit from 'p-limit';
import sharp from 'sharp';
import type { User } from '../../src/shared/accounts.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { cleanText, oneLine, visibleKey, visibleName } from '../../src/shared/clean-text.ts';
import type { Comment } from '../../src/shared/comments.ts';
import type { Problem } from '../../src/shared/errors.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import { limits } from '../../src/shared/limits.ts';
import { assetRoutes, pageRoutes } from '../../src/shared/routes.ts';
import { twoForums, type Visit } from '../forum/two-forums.ts';
import { invisibleCharacters, naughtyStrings } from './naughty-strings.ts';

/** Limits concurrent checks to the number of uploads that an account may have in progress. */
const few = pLimit(4);
const forEach = (texts: string[], check: (text: string, index: number) => Promise<void>) =>
  Promise.all(texts.map((text, index) => few(() => check(text, index))));

/** Normalizes a text as it is stored. */
const asStored = (text = '', clean = cleanText) => clean(text).trim().normalize('NFC');
const isInvisible = (text: string) =>
  [...asStored(text)].every((one) => invisibleCharacters.includes(one));
const firstChars = (text: string, most: number) => [...text].slice(0, most).join('');
const present = (fields: (string | false)[]) => fields.filter((field) => field !== false);

/** The server rejects NUL before it checks the fields. */
const storableStrings = naughtyStrings.filter((text) => !text.includes('\0'));

/** Whether a text is not stored as sent, or has a meaning in a path or an object. */
const isOdd = (text: string) =>
  isInvisible(text) || text !== visibleName(text).trim() || /^\.+$|^__/.test(text);
const odd = storableStrings.filter(isOdd);

/** Returns all texts, joined up to the maximum length, except odd ones, which stay alone. */
function packedTexts(maxChars: number): string[] {
  const packs: string[] = [];
  for (const text of storableStrings) {
    if (isOdd(text)) continue;
    const longer = `${packs.at(-1) ?? ''}|${text}`;
    if (packs.length > 0 && [...asStored(longer)].length <= maxChars)
      packs[packs.length - 1] = longer;
    else packs.push(text);
  }
  return [...odd, ...packs];
}

/** Sends the fields, and replaces rejected ones with a harmless text in a second request. */
async function sendText(
  { forum, person }: Visit,
  call: { method: string; url: string; other?: object },
  fields: Record<string, string>,
  harmless: Record<string, string>,
) {
  const send = (body: object) =>
    forum.call(call.method, call.url, { token: person.token, body: { ...call.other, ...body } });
  const first = await send(fields);
  if (first.ok) return { refused: [], fields, response: first };
  const problem = (await first.json()) as Problem;
  assert.deepEqual([first.status, problem.code], [400, 'invalid_fields']);
  assert.equal(first.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  const refused = (problem.errors ?? []).map(({ field }) => field);
  const rest = { ...fields };
  for (const field of refused) rest[field] = harmless[field] ?? '';
  const response = await send(rest);
  assert.ok(response.ok, JSON.stringify(rest));
  return { refused, fields: rest, response };
}

/**
 * Defines tests that send the texts to every field, address and file name.
 * @param isWhole sends each text alone to each field and URL; otherwise combines many in one, sends each to one URL,
 * and uploads few files
 */
export function testHostileTexts({ isWhole }: { isWhole: boolean }): void {
  const onBoth = twoForums();
  const textsOf = isWhole ? () => storableStrings : packedTexts;

  test('names, e-mails and passwords are stored as sent or rejected', async () => {
    await forEach(textsOf(1000), async (text, index) => {
      const password = firstChars(text, limits.emailChars - 6);
      // E-mails cannot contain a colon; the number makes them distinct.
      const email = `${password.replaceAll(':', '')} ${index}`;
      const name = firstChars(text, limits.userNameChars);
      const account = { name, email, password };
      const refused = await onBoth(async (visit) => {
        const call = { method: 'POST', url: apiRoutes.signUp };
        const harmless = { name: 'Ana', email: `${index}@ejemplo.es`, password: 'una cualquiera' };
        const { refused, fields } = await sendText(visit, call, account, harmless);
        const signedIn = await visit.forum.signIn(fields.email ?? '', fields.password ?? '');
        assert.equal(signedIn.status, 200, JSON.stringify(fields));
        const { user } = (await signedIn.json()) as { user: User };
        assert.equal(user.name, asStored(fields.name, visibleName));
        assert.equal(user.email, asStored(fields.email, visibleKey));
        return refused;
      });
      const expected = present([isInvisible(name) && 'name', text === '' && 'password']);
      assert.deepEqual(refused, expected, JSON.stringify(text));
    });
  });

  test('texts of channels are stored as sent or rejected', async () => {
    await forEach(textsOf(limits.descriptionChars), async (text) => {
      const name = firstChars(text, limits.channelNameChars);
      const coverAlt = firstChars(text, limits.coverAltChars);
      const words = { name, description: text, coverAlt };
      const refused = await onBoth(async (visit) => {
        const other = { cover: '/default-avatar.svg' };
        const call = { method: 'POST', url: apiRoutes.channels, other };
        const harmless = { name: 'Cine', description: 'De barrio' };
        const { refused, fields, response } = await sendText(visit, call, words, harmless);
        const { _id } = (await response.json()) as Channel;
        const channel = await visit.forum.json<Channel>('GET', apiRoutes.channel(_id));
        assert.equal(channel.name, asStored(fields.name, visibleName));
        assert.equal(channel.description, asStored(fields.description));
        assert.equal(
          channel.coverAlt,
          isInvisible(coverAlt) ? '' : asStored(fields.coverAlt, oneLine),
        );
        return refused;
      });
      const expected = present([isInvisible(name) && 'name', isInvisible(text) && 'description']);
      assert.deepEqual(refused, expected, JSON.stringify(text));
    });
  });

  test('comments are stored as sent or rejected', async () => {
    const texts = textsOf(limits.commentChars);
    const refused = await onBoth(async (visit) => {
      const { _id: id } = await visit.forum.channel(visit.person);
      const call = { method: 'PUT', url: apiRoutes.comment, other: { id } };
      const refused: string[] = [];
      const sent: string[] = [];
      // Write one after the other, because they are listed in this order.
      for (const text of texts) {
        const done = await sendText(visit, call, { comment: text }, { comment: 'Hola' });
        if (done.refused.length > 0) refused.push(text);
        sent.push(asStored(done.fields.comment));
        await done.response.body?.cancel();
      }
      const comments: Comment[] = await visit.forum.allComments(id);
      assert.deepEqual(
        comments.map(({ comment }) => comment),
        sent,
      );
      return refused;
    });
    assert.deepEqual(refused, texts.filter(isInvisible));
  });

  test('hostile texts in URLs are not found and cause no failure', async () => {
    await forEach(textsOf(1000), async (text, index) => {
      const encoded = encodeURIComponent(text);
      const urls = [
        apiRoutes.channel(text),
        apiRoutes.channelComments(text),
        apiRoutes.channelLive(text),
        apiRoutes.storedFile('images/') + encoded,
        assetRoutes.file('images/') + encoded,
        assetRoutes.variant(assetRoutes.file('images/a.jpg'), encoded),
        pageRoutes.channel(text),
        assetRoutes.azulejo(text),
        `/${encoded}`,
        `/?after=${encoded}`,
        `${apiRoutes.channels}?comments=0&limit=1&after=${encoded}`,
        `${apiRoutes.channels}?comments=0&limit=${encoded}`,
        `${apiRoutes.channels}?comments=${encoded}&limit=1&${encoded}=${encoded}`,
      ];
      await onBoth(async ({ forum }) => {
        const statuses: number[] = [];
        for (const url of isWhole ? urls : [urls[index % urls.length] ?? '']) {
          const response = await forum.call('GET', url);
          statuses.push(response.status);
          await response.body?.cancel();
          assert.ok(response.status < 500, url);
          // A text of only dots leads to a parent path.
          const isApi = new URL(url, forum.url).pathname.startsWith('/api/');
          const type = response.headers.get('content-type');
          if (isApi && !response.ok) {
            assert.equal(type, 'application/problem+json; charset=utf-8', url);
          }
        }
        return statuses;
      });
    });
    await onBoth(async ({ forum }) => {
      for (const url of [apiRoutes.channel('a\0b'), pageRoutes.channel('a\0b'), '/search?q=%00']) {
        assert.equal((await forum.call('GET', url)).status, 404, url);
      }
    });
  });

  test('an uploaded file may have a hostile name, and its image is served', async () => {
    const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    // A test of `safeFileName` covers the other names.
    await forEach(isWhole ? naughtyStrings : odd.slice(-8), async (filename) => {
      await onBoth(async ({ forum, person }) => {
        const response = await forum.upload(person, dot, { filename, use: 'avatar' });
        assert.equal(response.status, 200, JSON.stringify(filename));
        const { fullPath, downloadURL } = (await response.json()) as StoredFile;
        assert.match(fullPath, /^images\/[^/]+\.png$/);
        assert.equal((await forum.call('HEAD', downloadURL)).status, 200, fullPath);
        // The first request determines the case of a stored name, and concurrent requests have no fixed order.
        return fullPath.toLowerCase();
      });
    });
  });
}
