import type { Forum } from '../forum/forum.ts';
import type { CallOptions } from '../forum/forum-client.ts';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Said by the connection, not by the forum; a page's length depends on its port. */
const leftOut = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);

export interface Answer {
  status: number;
  /** The body, when it is JSON. */
  json: unknown;
}

/**
 * Calls a forum and writes down all it answers, so that what two forums answered can be compared.
 * Ids and tokens are random: each stands there by the order in which it first came up.
 */
export class Transcript {
  /** One entry a call: what was asked, status, headers, body. */
  readonly entries: string[] = [];
  readonly forum: Forum;
  /** Of the step that is being taken; stands before each entry. */
  step = '';
  readonly #names = new Map<string, string>();

  constructor(forum: Forum) {
    this.forum = forum;
  }

  async call(method: string, url: string, options: CallOptions = {}): Promise<Answer> {
    const response = await this.forum.call(method, url, options);
    const type = response.headers.get('content-type') ?? '';
    const isText = type === '' || /^text\/|json|svg/.test(type);
    const bytes = Buffer.from(await response.arrayBuffer());
    const body = isText ? bytes.toString() : bytes.toString('base64');
    const json: unknown = /json/.test(type) && body !== '' ? JSON.parse(body) : undefined;
    const headers = [...response.headers]
      .filter(([name]) => !leftOut.has(name))
      // A page's or an answer's may be made from the ids in it; that of an image may not.
      .map(([name, value]) =>
        name === 'etag' && !url.startsWith('/files/') ? `${name}` : `${name}: ${value}`,
      );
    this.note(
      [
        `${method} ${url} ${JSON.stringify(options.body)?.slice(0, 200) ?? ''}`,
        String(response.status),
        json === undefined ? body : JSON.stringify(json, null, 1),
        ...headers,
      ].join('\n'),
    );
    return { status: response.status, json };
  }

  note(text: string): void {
    const named = text
      .replaceAll(this.forum.url, 'http://forum')
      .replaceAll(new URL(this.forum.url).host, 'forum')
      .replace(/"token": "[\w-]{43}"/g, '"token": "…"')
      .replace(uuid, (id) => this.#nameOf(id));
    this.entries.push(`${this.step}: ${named}`);
  }

  #nameOf(id: string): string {
    const name = this.#names.get(id) ?? `id-${this.#names.size + 1}`;
    this.#names.set(id, name);
    return name;
  }
}

/** Where two transcripts first part ways, in words; undefined when they nowhere do. */
export function firstDifference(
  a: { who: string; entries: string[] },
  b: { who: string; entries: string[] },
): string | undefined {
  const count = Math.max(a.entries.length, b.entries.length);
  for (let index = 0; index < count; index++) {
    const [ofA = 'nothing', ofB = 'nothing'] = [a.entries[index], b.entries[index]];
    if (ofA === ofB) continue;
    const [linesA, linesB] = [ofA.split('\n'), ofB.split('\n')];
    const line = linesA.findIndex((text, at) => text !== linesB[at]);
    const show = (lines: string[]) => lines.slice(Math.max(0, line), line + 3).join('\n  ');
    return `call ${index + 1}, ${linesA[0]}\n${a.who}:\n  ${show(linesA)}\n${b.who}:\n  ${show(linesB)}`;
  }
  return undefined;
}
