import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { buildApp } from '../src/server/app.ts';
import { type Config, parseConfig } from '../src/server/config.ts';
import { type Deps, openDeps } from '../src/server/deps.ts';
import type { App } from '../src/server/http/app-type.ts';
import type { User } from '../src/shared/accounts.ts';
import type { Channel } from '../src/shared/channels.ts';
import type { Comment } from '../src/shared/comments.ts';
import type { Problem, ProblemCode } from '../src/shared/errors.ts';
import { apiRoutes } from '../src/shared/routes.ts';

export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

export interface Person extends User {
  token: string;
  password: string;
}

interface CallOptions {
  token?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, unless it is text or bytes already. */
  body?: unknown;
}

/** The real app on a real port, with a folder and a database of its own. */
export class Forum {
  readonly app: App;
  readonly deps: Deps;
  readonly url: string;
  readonly #cleanUp: () => Promise<void>;

  private constructor(app: App, deps: Deps, url: string, cleanUp: () => Promise<void>) {
    this.app = app;
    this.deps = deps;
    this.url = url;
    this.#cleanUp = cleanUp;
  }

  static async start(
    engine: Engine,
    env: Record<string, string> = {},
    replace: Partial<Deps> = {},
    log?: Writable,
  ): Promise<Forum> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-test-'));
    const database =
      engine === 'postgres' && !env.DATABASE_URL ? await createPostgresDatabase() : undefined;
    const config = parseConfig({
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      ...(database ? { DATABASE_URL: database.url } : {}),
      ...env,
    });
    const cleanUp = async () => {
      await database?.drop();
      // An upload that was cut off may still be writing.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    };
    return Forum.#serve(config, replace, cleanUp, log);
  }

  /** A further app on this one's PostgreSQL and folder; it is stopped first. */
  another(): Promise<Forum> {
    return Forum.#serve(this.deps.config, {}, async () => {});
  }

  static async #serve(
    config: Config,
    replace: Partial<Deps>,
    cleanUp: () => Promise<void>,
    log?: Writable,
  ): Promise<Forum> {
    const deps = await openDeps(config, replace);
    const app = await buildApp(deps, {
      level: config.logLevel,
      ...(log ? { stream: log } : {}),
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    return new Forum(app, deps, url, async () => {
      await app.close();
      await deps.close();
      await cleanUp();
    });
  }

  stop(): Promise<void> {
    return this.#cleanUp();
  }

  call(method: string, url: string, { token, headers, body }: CallOptions = {}): Promise<Response> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    return fetch(new URL(url, this.url), {
      method,
      redirect: 'manual',
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    });
  }

  /** @throws when the status is not 2xx; the answer's JSON otherwise. */
  async json<T>(method: string, url: string, options: CallOptions = {}): Promise<T> {
    const response = await this.call(method, url, options);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  signIn(email: string, password: string): Promise<Response> {
    const basic = Buffer.from(`${email}:${password}`).toString('base64');
    return this.call('POST', apiRoutes.signIn, { headers: { authorization: `Basic ${basic}` } });
  }

  /** A new account, signed in. */
  async person(name = 'Lucía Herrero', email = `${randomUUID()}@ejemplo.es`): Promise<Person> {
    const password = 'una contraseña: larga';
    await this.json('POST', apiRoutes.signUp, {
      body: { name, email, password, img: '/default-avatar.svg' },
    });
    const { token, user } = (await (await this.signIn(email, password)).json()) as {
      token: string;
      user: User;
    };
    return { ...user, token, password };
  }

  channel(author: Person, name = 'Cine de barrio'): Promise<Channel> {
    return this.json('POST', apiRoutes.channels, {
      token: author.token,
      body: { name, description: 'Películas con gente al lado.', cover: '/files/images/a.jpg' },
    });
  }

  /** Uploads in one request (tus creation-with-upload). */
  upload(
    owner: Person,
    bytes: Uint8Array,
    { filename = 'portada.png', use = 'cover' } = {},
  ): Promise<Response> {
    return this.call('POST', apiRoutes.uploads, {
      token: owner.token,
      body: bytes,
      headers: {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-length': String(bytes.length),
        'upload-metadata': uploadMetadata({ filename, use, filetype: 'image/png' }),
      },
    });
  }

  comment(author: Person, channelId: string, comment: string): Promise<Comment> {
    return this.json('PUT', apiRoutes.comment, {
      token: author.token,
      body: { id: channelId, comment },
    });
  }
}

/** Header value after the tus protocol: keys with base64 values. */
export function uploadMetadata(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** Checks that an answer is a problem with this status and code. @returns its body. */
export async function expectProblem(
  response: Response,
  status: number,
  code: ProblemCode,
): Promise<Problem> {
  const problem = (await response.json()) as Problem;
  assert.deepEqual([response.status, problem.code], [status, code]);
  assert.equal(problem.status, status);
  assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  assert.match(problem.detail, /[a-záéíóúñ ]{10}/);
  return problem;
}

/** An empty database of the test's own. */
export async function createPostgresDatabase() {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('run the tests with npm test: it starts PostgreSQL for them');
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const admin = async (sql: string) => {
    const client = new pg.Client(`${server}/postgres`);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await admin(`create database ${name}`);
  return { url: `${server}/${name}`, drop: () => admin(`drop database ${name} with (force)`) };
}
