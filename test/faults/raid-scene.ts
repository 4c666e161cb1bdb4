import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { StoredFile } from '../../src/shared/images.ts';
import type { MemberList } from '../../src/shared/moderation.ts';
import { pageRoutes, searchUrl, withQuery } from '../../src/shared/routes.ts';
import { ForumClient, type Person } from '../forum/forum-client.ts';
import { outcomeOf, runTertulia } from '../processes/program.ts';

export const raiders = 200;
export const addresses = 50;
export const raidMs = 20_000;
/** Word in every text of the raid, and in no other text. */
export const mark = 'gangazo';
/** End of the raid's comments with a link. The search page shows it only in a result. */
const insult = 'que os den';
export const raidText = () => `${mark}: https://ejemplo.es/${randomUUID()} y ${insult}`;

/** A client with its own address, which it sends as a proxy would. */
export class Caller extends ForumClient {
  readonly #address: string;

  constructor(url: string, address: string) {
    super(url);
    this.#address = address;
  }

  override call(...[method, url, options]: Parameters<ForumClient['call']>): Promise<Response> {
    const headers = { ...options?.headers, 'x-forwarded-for': this.#address };
    return super.call(method, url, { ...options, headers });
  }
}

/** Signs up and in. Repeats each request apart, so that there is one account. */
export async function signUp(caller: Caller, name: string): Promise<Person> {
  const account = await untilAccepted(() => caller.signUp(name));
  return untilAccepted(() => caller.personOf(account));
}

/** Repeats a call while the server refuses it because the machine is busy. */
async function untilAccepted<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Error) || !/ 503 /.test(error.message)) throw error;
      await delay(1000);
    }
  }
}

/** @throws when the status is none of these */
function read(forum: ForumClient, url: string, expected: number[]) {
  return untilAccepted(async () => {
    const response = await forum.call('GET', url);
    const { status } = response;
    const text = await response.text();
    if (!expected.includes(status)) throw new Error(`GET ${url}: ${status} ${text}`);
    return { status, text };
  });
}

/** Whether a guest sees any content of the raid in lists, channels, search results or images. */
export async function isSeen(
  forum: ForumClient,
  channels: string[],
  images: string[],
): Promise<boolean> {
  const paths = [
    pageRoutes.home,
    `${apiRoutes.channels}?sort=new`,
    searchUrl({ q: mark }),
    ...channels.map((id) => pageRoutes.channel(id)),
  ];
  for (const url of paths) {
    const { text } = await read(forum, url, [200]);
    // The search page repeats the query, which contains the mark.
    if (text.includes(url.startsWith(pageRoutes.search) ? insult : mark)) return true;
  }
  for (const url of images) {
    const { status } = await read(forum, url, [200, 404]);
    if (status === 200) return true;
  }
  return false;
}

/** Gives an account a role by the operator's command. */
export async function giveRole(
  env: Record<string, string>,
  email: string,
  role: string,
): Promise<void> {
  const { code, said } = await outcomeOf(runTertulia(env, 'admin', 'role', email, role));
  assert.equal(code, 0, said);
}

/** The ids of the accounts opened since that time that no moderator has approved. */
export async function unapprovedSince(
  forum: ForumClient,
  { token }: { token: string },
  from: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const url: string = withQuery(apiRoutes.members, { unapproved: 1, after: after || null });
    const page: MemberList = await forum.json<MemberList>('GET', url, { token });
    const found = page.data.filter(({ createdAt }) => createdAt >= from);
    ids.push(...found.map(({ id }) => id));
    after = found.length === page.data.length ? page.next : null;
  }
  return ids;
}

/** Uploads the image of a comment. @returns its URL */
export function uploadImage(caller: Caller, owner: Person, image: Buffer): Promise<string> {
  return untilAccepted(async () => {
    const response = await caller.upload(owner, image, { use: 'comment' });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`upload: ${response.status} ${text}`);
    return (JSON.parse(text) as StoredFile).downloadURL;
  });
}

/** The image that raiders upload. */
export function raidImage(): Promise<Buffer> {
  const create = { width: 64, height: 64, channels: 3, background: '#a63d1a' } as const;
  return sharp({ create }).png().toBuffer();
}
