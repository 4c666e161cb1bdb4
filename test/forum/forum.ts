import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { hashCost } from '../../src/server/accounts/passwords/passwords.ts';
import { buildApp } from '../../src/server/app.ts';
import { timeoutsMs } from '../../src/server/database/postgres/postgres-pool.ts';
import type { App } from '../../src/server/http/app-type.ts';
import { overload } from '../../src/server/http/limits/overload.ts';
import { type Metrics, openMetrics } from '../../src/server/operation/metrics/metrics.ts';
import { openSite } from '../../src/server/operation/start/open-site.ts';
import type { AppServices } from '../../src/server/services.ts';
import { type Config, parseConfig } from '../../src/server/system/settings/config.ts';
import type { Problem, ProblemCode } from '../../src/shared/errors.ts';
import { createMigratedDatabase } from '../postgres/create-database.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import './documented-statuses.ts';
import { ForumClient } from './forum-client.ts';

export { createMigratedDatabase, createPostgresDatabase } from '../postgres/create-database.ts';
export { type Person, uploadMetadata } from './forum-client.ts';

// Reduces the cost of hashes, because hundreds of people sign up in a run. Tests of hashes restore the real cost.
export const realHashCost = { ...hashCost };
Object.assign(hashCost, { memory: 64, passes: 1 });
// Turns off the overload check, because the server shares the event loop with the tests.
Object.assign(overload, { maxEventLoopDelay: 0 });
// On a busy machine a connection may take seconds. Tests of the real limits restore them.
export const realTimeoutsMs = { ...timeoutsMs };
Object.assign(timeoutsMs, { connect: 30_000 });

export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** Dependencies that a test replaces; a function receives the settings. */
export type Replace = Partial<AppServices> | ((config: Config) => Partial<AppServices>);

/** The real app on a real port, with its own folder and database. */
export class Forum extends ForumClient {
  readonly app: App;
  readonly services: AppServices;
  /** Undefined when METRICS is off. */
  readonly metrics: Metrics | undefined;
  readonly #cleanUp: () => Promise<void>;
  readonly #connections = new Set<Socket>();
  #isCut = false;

  private constructor(
    app: App,
    services: AppServices,
    metrics: Metrics | undefined,
    url: string,
    cleanUp: () => Promise<void>,
  ) {
    super(url);
    this.app = app;
    this.services = services;
    this.metrics = metrics;
    this.#cleanUp = cleanUp;
    app.server.on('connection', (connection) => {
      if (this.#isCut) connection.destroy();
      this.#connections.add(connection);
      connection.once('close', () => this.#connections.delete(connection));
    });
  }

  static async start(
    engine: Engine,
    env: Record<string, string> = {},
    replace: Replace = {},
    log?: Writable,
  ): Promise<Forum> {
    const folder = await temporaryFolder('test');
    const dataDir = folder.path;
    const database =
      engine === 'postgres' && !env.DATABASE_URL ? await createMigratedDatabase() : undefined;
    const { TEST_SQLITE_TEMPLATE } = process.env;
    if (engine === 'sqlite' && !env.DATA_DIR && TEST_SQLITE_TEMPLATE) {
      await copyFile(TEST_SQLITE_TEMPLATE, path.join(dataDir, 'tertulia.db'));
    }
    const config = parseConfig({
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      ...(database ? { DATABASE_URL: database.url } : {}),
      ...env,
    });
    const parts = typeof replace === 'function' ? replace(config) : replace;
    const cleanUp = async () => {
      await database?.drop();
      // An aborted upload may still be writing.
      await folder[Symbol.asyncDispose]();
    };
    return Forum.#serve(config, parts, cleanUp, log);
  }

  /** Settings that locate its data, for another program that uses the same data. */
  get dataSettings(): Record<string, string> {
    const { dataDir, databaseUrl, s3 } = this.services.config;
    return {
      DATA_DIR: dataDir,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      ...(s3 && {
        S3_ENDPOINT: s3.endpoint,
        S3_BUCKET: s3.bucket,
        S3_ACCESS_KEY_ID: s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      }),
    };
  }

  /** A second app on the same PostgreSQL and folder; stop it before this one. */
  another(): Promise<Forum> {
    const { config, now, isPushService } = this.services;
    return Forum.#serve(config, { now, isPushService }, async () => {});
  }

  static async #serve(
    config: Config,
    replace: Partial<AppServices>,
    cleanUp: () => Promise<void>,
    log?: Writable,
  ): Promise<Forum> {
    // A failed start must leave nothing open, or the test process would never end.
    await using opened = new AsyncDisposableStack();
    opened.defer(cleanUp);
    const services = await openSite(config, replace);
    opened.defer(services.close);
    const logger = { level: config.logLevel, ...(log ? { stream: log } : {}) };
    const metrics = openMetrics(config);
    const app = await buildApp(services, { logger, metrics });
    opened.defer(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const started = opened.move();
    return new Forum(app, services, metrics, url, () => started.disposeAsync());
  }

  /** Closes the database under the running app; first its watch, which ends the process when files of SQLite vanish. */
  async closeDatabase(): Promise<void> {
    await this.services.live.close();
    await this.services.db.destroy();
  }

  /** Cuts every connection, including streams, as a network failure does. */
  loseConnections(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  /**
   * Loses every connection, and each new one until the returned function is called: after the first loss alone, a
   * browser may send a request again by itself.
   */
  cutConnections(): () => void {
    this.#isCut = true;
    this.loseConnections();
    return () => {
      this.#isCut = false;
    };
  }

  stop(): Promise<void> {
    return this.#cleanUp();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanUp();
  }
}

/** Checks that a response is a problem with this status and code. @returns its body */
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
