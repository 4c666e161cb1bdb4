import type { Forum } from '../forum/forum.ts';
import type { CallOptions } from '../forum/forum-client.ts';

/**
 * Random parts: ids, hashes in names and entity tags of images, which contain the id of the owner, and
 * search cursors, whose numbers PostgreSQL may skip.
 */
const random =
  /[0-9a-f]{16}\.(?:[nr][a-z])?\d+(?:\.\d+)*(?![\w-])|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=-)[0-9a-f]{8}(?=\.\w)|[0-9a-f]{32}(?=\.\w+\.webp)/g;
/** Headers of the connection, and the length, which for a page depends on the port of its server. */
const ignoredHeaders = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);

export interface ScriptResponse {
  status: number;
  /** The parsed body, when it is JSON. */
  json: unknown;
  /** Name and value of the cookie, without attributes. */
  cookie: string | undefined;
}

/**
 * Calls a forum and records all responses, so that two forums can be compared. Ids and tokens are random: an id is
 * recorded as the number of its first appearance, a token as "…".
 */
export class Transcript {
  /** One entry for each call: request, status, body, headers. */
  readonly entries: string[] = [];
  readonly forum: Forum;
  /** The name of the current step, recorded with each entry. */
  step = '';
  readonly #names = new Map<string, string>();

  constructor(forum: Forum) {
    this.forum = forum;
  }

  async call(method: string, url: string, options: CallOptions = {}): Promise<ScriptResponse> {
    const response = await this.forum.call(method, url, options);
    const type = response.headers.get('content-type') ?? '';
    const isText = type === '' || /^text\/|json|svg/.test(type);
    const bytes = Buffer.from(await response.arrayBuffer());
    const body = isText ? bytes.toString() : bytes.toString('base64');
    const json: unknown = /json/.test(type) && body !== '' ? JSON.parse(body) : undefined;
    const headers = [...response.headers]
      .filter(([name]) => !ignoredHeaders.has(name))
      // The ETag of a page or JSON response may depend on random ids; the ETag of an image must not.
      .map(([name, value]) =>
        name === 'etag' && !url.startsWith('/files/') ? `${name}` : `${name}: ${value}`,
      );
    this.note(
      [
        `${method} ${url} ${this.#withNames(JSON.stringify(options.body) ?? '').slice(0, 200)}`,
        String(response.status),
        json === undefined ? body : JSON.stringify(json, null, 1),
        ...headers,
      ].join('\n'),
    );
    const cookie = response.headers.get('set-cookie')?.split(';', 1)[0];
    return { status: response.status, json, cookie };
  }

  note(text: string): void {
    const named = text
      .replaceAll(this.forum.url, 'http://forum')
      .replaceAll(new URL(this.forum.url).host, 'forum')
      .replace(/"token": "[\w-]{43}"/g, '"token": "…"')
      .replace(/tertulia=[\w-]{43}/g, 'tertulia=…');
    this.entries.push(`${this.step}: ${this.#withNames(named)}`);
  }

  #withNames(text: string): string {
    return text.replace(random, (id) => this.#nameOf(id));
  }

  #nameOf(id: string): string {
    const name = this.#names.get(id) ?? `id-${this.#names.size + 1}`;
    this.#names.set(id, name);
    return name;
  }
}

/** Describes the first entry in which two transcripts differ; undefined if they are equal. */
export function firstDifference(
  a: { name: string; entries: string[] },
  b: { name: string; entries: string[] },
): string | undefined {
  const count = Math.max(a.entries.length, b.entries.length);
  for (let index = 0; index < count; index++) {
    const [ofA = 'nothing', ofB = 'nothing'] = [a.entries[index], b.entries[index]];
    if (ofA === ofB) continue;
    const [linesA, linesB] = [ofA.split('\n'), ofB.split('\n')];
    const line = linesA.findIndex((text, at) => text !== linesB[at]);
    const show = (lines: string[]) => lines.slice(Math.max(0, line), line + 3).join('\n  ');
    return `call ${index + 1}, ${linesA[0]}\n${a.name}:\n  ${show(linesA)}\n${b.name}:\n  ${show(linesB)}`;
  }
  return undefined;
}
