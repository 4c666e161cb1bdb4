import { commentId } from '../src/shared/comment-id.ts';
import { apiRoutes, pageRoutes } from '../src/shared/routes.ts';
import { type Filling, filled } from '../test/forum/fill-forum.ts';
import { password } from './full-forum.ts';

/** What is called again and again, and how the `index`th time. */
export interface Call {
  name: string;
  make: (index: number) => Promise<Response>;
}

/**
 * The calls that are measured. No address comes twice, so that no page or list that is kept in
 * memory answers in the database's place.
 */
export async function callsOf(url: string, filling: Filling): Promise<Call[]> {
  const get = (path: string) => fetch(url + path);
  const long = filled.channelId(0);
  const most = Math.max(
    ...Array.from({ length: 100 }, (_, index) => filled.commentCount(filling, index + 1)),
  );
  /** Somewhere in the forum, everywhere in turn: 61 has no factor in common with any size. */
  const spread = (index: number) => (index * 61) % filling.channels;
  /** Behind the channels with so many comments that are newer than this one. */
  const place = (count: number, index: number) => `after=${count}_${filled.channelId(index)}`;
  const top = (index: number) => place(most, filling.channels - 1 - index);
  const deep = (index: number) => place(1, spread(index));
  const list = `${apiRoutes.channels}?limit=20&comments=0`;
  const signIn = (index: number) =>
    fetch(url + apiRoutes.signIn, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${filled.email(index % filling.accounts)}:${password}`).toString('base64')}`,
      },
    });
  const { token } = (await (await signIn(0)).json()) as { token: string };
  const bearer = { authorization: `Bearer ${token}` };
  const post = (id: string) =>
    fetch(url + apiRoutes.comment, {
      method: 'PUT',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ id, comment: filled.text }),
    });
  const longBefore = (index: number) => commentId(long, filling.longest - 50 - index);

  return [
    { name: 'home list, at the top', make: (index) => get(`${list}&${top(index)}`) },
    { name: 'home list, deep down', make: (index) => get(`${list}&${deep(index)}`) },
    {
      name: 'list of 100 with comments',
      make: (index) => get(`${apiRoutes.channels}?${top(index)}`),
    },
    { name: 'home page, at the top', make: (index) => get(`${pageRoutes.home}?${top(index)}`) },
    { name: 'home page, deep down', make: (index) => get(`${pageRoutes.home}?${deep(index)}`) },
    { name: 'a channel', make: (index) => get(apiRoutes.channel(filled.channelId(spread(index)))) },
    {
      name: 'the longest channel, page in the middle',
      make: (index) =>
        get(`${pageRoutes.channel(long)}?after=${commentId(long, filling.longest / 2 - index)}`),
    },
    {
      name: 'the longest channel, near its end',
      make: (index) => get(`${pageRoutes.channel(long)}?after=${longBefore(index)}`),
    },
    { name: 'sign in', make: (index) => signIn(spread(index)) },
    { name: 'who am I', make: () => fetch(url + apiRoutes.me, { headers: bearer }) },
    { name: 'comment in a channel', make: (index) => post(filled.channelId(spread(index))) },
    { name: 'comment in the longest channel', make: () => post(long) },
  ];
}

export const enough = { calls: 200, ms: 15_000 };

/**
 * Median of the milliseconds that the same call takes in each forum: one after the other and each
 * forum in turn, so that whatever else the machine does is borne by all alike.
 */
export async function mediansMs(calls: Call[]): Promise<number[]> {
  const taken = calls.map((): number[] => []);
  const endMs = performance.now() + enough.ms;
  const warmUps = 10;
  for (let index = 0; index < enough.calls + warmUps && performance.now() < endMs; index++) {
    for (const [forum, { name, make }] of calls.entries()) {
      const startedMs = performance.now();
      const response = await make(index);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
      if (index >= warmUps) taken[forum]?.push(performance.now() - startedMs);
    }
  }
  return taken.map((of) => of.sort((a, b) => a - b)[Math.floor(of.length / 2)] ?? Number.NaN);
}
