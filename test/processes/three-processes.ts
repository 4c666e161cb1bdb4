import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Comment } from '../../src/shared/comments.ts';
import { eventually } from '../eventually.ts';
import { createPostgresDatabase } from '../forum/forum.ts';
import { ForumClient } from '../forum/forum-client.ts';
import { LiveFollower } from '../forum/live-follower.ts';
import { Balancer } from './balancer.ts';
import { freePorts } from './free-ports.ts';
import { ServerProcess, startsWithinMs } from './server-process.ts';

const count = 3;

/** A site of three processes on one PostgreSQL and one folder, behind a load balancer. */
export class ThreeProcesses extends ForumClient {
  #servers: ServerProcess[] = [];
  readonly balancer: Balancer;
  readonly #followers: LiveFollower[] = [];
  readonly #ports: number[];
  readonly #env: Record<string, string>;
  readonly #dropDatabase: () => Promise<void>;

  private constructor(
    balancer: Balancer,
    ports: number[],
    env: Record<string, string>,
    dropDatabase: () => Promise<void>,
  ) {
    super(balancer.url);
    this.balancer = balancer;
    this.#ports = ports;
    this.#env = env;
    this.#dropDatabase = dropDatabase;
  }

  /** Starts all processes at once on an empty database. */
  static async start(): Promise<ThreeProcesses> {
    const database = await createPostgresDatabase();
    const ports = await freePorts(count);
    const balancer = await Balancer.start(ports.map((port) => `http://127.0.0.1:${port}`));
    const env = {
      DATA_DIR: await mkdtemp(path.join(tmpdir(), 'tertulia-three-')),
      DATABASE_URL: database.url,
      RATE_LIMITS: 'off',
      TRUST_PROXY: '1',
    };
    const site = new ThreeProcesses(balancer, ports, env, database.drop);
    const starts = await Promise.allSettled(ports.map((_, index) => site.#startServer(index)));
    site.#servers = starts.flatMap((start) => (start.status === 'fulfilled' ? start.value : []));
    try {
      for (const start of starts) if (start.status === 'rejected') throw start.reason;
      await site.#allReady();
    } catch (error) {
      await site.remove();
      throw error;
    }
    return site;
  }

  async kill(index: number): Promise<void> {
    const server = this.#server(index);
    server.kill('SIGKILL');
    await server.ended;
  }

  /** Stops a process with SIGTERM. @returns its exit code, its standard error and the milliseconds until its end */
  stop(index: number) {
    return this.#server(index).stop();
  }

  /** Restarts an ended process. @param loaded also waits until it serves part of the load */
  async startAgain(index: number, loaded = false): Promise<void> {
    this.#servers[index] = await this.#startServer(index);
    await this.#allReady();
    const responses = () => this.balancer.backends[index]?.responses ?? 0;
    const before = responses();
    if (loaded)
      await eventually(
        'the balancer sends it requests',
        async () => responses() > before + 10,
        startsWithinMs,
      );
  }

  async followers(channelId: string, readers: number): Promise<LiveFollower[]> {
    const followers = await Promise.all(
      Array.from({ length: readers }, () => LiveFollower.start(this, channelId)),
    );
    this.#followers.push(...followers);
    return followers;
  }

  async remove(): Promise<void> {
    for (const follower of this.#followers) follower.stop();
    await this.balancer.stop();
    for (const server of this.#servers) server.kill('SIGKILL');
    await Promise.all(this.#servers.map(({ ended }) => ended));
    await this.#dropDatabase();
    await rm(this.#env.DATA_DIR ?? '', { recursive: true, force: true });
  }

  #server(index: number): ServerProcess {
    const server = this.#servers[index];
    assert.ok(server);
    return server;
  }

  #startServer(index: number): Promise<ServerProcess> {
    return ServerProcess.start({ ...this.#env, PORT: String(this.#ports[index]) });
  }

  async #allReady(): Promise<void> {
    const { backends } = this.balancer;
    const ready = async () => backends.every((backend) => backend.ready);
    await eventually('all processes are ready', ready, startsWithinMs);
  }
}

/**
 * Waits until all readers are connected.
 * @param losses minimum number of reconnections in total
 * @returns their times, in ms since 1970
 */
export async function waitForReconnects(
  readers: LiveFollower[],
  losses: number,
  withinMs = 60_000,
): Promise<number[]> {
  const backAtMs = () => readers.flatMap((reader) => reader.backAtMs);
  await eventually(
    'the readers are back',
    async () => readers.every(({ connected }) => connected) && backAtMs().length >= losses,
    withinMs,
  ).catch((error: Error) => {
    error.cause = readers.find(({ connected }) => !connected)?.failure;
    throw error;
  });
  return backAtMs();
}

/**
 * Asserts that every acknowledged comment is stored once, and that every reader received each stored comment once, in
 * order.
 */
export async function expectAllDelivered(
  readers: LiveFollower[],
  stored: Comment[],
  acknowledged: string[],
): Promise<void> {
  const texts = stored.map(({ comment }) => comment);
  assert.equal(new Set(texts).size, texts.length);
  const known = new Set(texts);
  assert.deepEqual(
    acknowledged.filter((text) => !known.has(text)),
    [],
  );
  const ids = stored.map(({ id }) => id);
  for (const reader of readers) {
    await eventually(
      'all comments are delivered',
      async () => reader.seen.length >= ids.length,
      60_000,
    );
    assert.deepEqual(reader.seen, ids);
    reader.stop();
  }
}
