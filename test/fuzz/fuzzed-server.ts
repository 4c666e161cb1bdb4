import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { quarters } from '../attacks/hostile-images.ts';
import { readDescription } from '../forum/api-description.ts';
import { createMigratedDatabase, type Engine } from '../forum/forum.ts';
import { ForumClient, type Person } from '../forum/forum-client.ts';
import { TusUpload } from '../forum/tus-upload.ts';
import { memoryOf } from '../processes/process-memory.ts';
import { serveSettings } from '../processes/program.ts';
import { ServerProcess } from '../processes/server-process.ts';
import type { Description } from './described-calls.ts';
import type { Answer } from './exchange.ts';
import { checkResponse } from './invariants.ts';
import type { Known } from './known.ts';

const errorLevel = 50;
/** The minimum memory that the documentation states. */
const mostMb = 512;
const healthTimeoutMs = 20_000;

/** A running server that is checked after each hostile request. */
export class FuzzedServer {
  readonly known: Known;
  readonly description: Description;
  readonly #env: Record<string, string>;
  readonly #person: Person;
  readonly #cleanUp: () => Promise<void>;
  #server: ServerProcess;
  /** Number of log lines already checked. */
  #checkedLines = 0;

  private constructor(
    server: ServerProcess,
    env: Record<string, string>,
    cleanUp: () => Promise<void>,
    more: { known: Known; person: Person; description: Description },
  ) {
    this.#server = server;
    this.#env = env;
    this.#cleanUp = cleanUp;
    this.#person = more.person;
    this.known = more.known;
    this.description = more.description;
  }

  static async start(engine: Engine): Promise<FuzzedServer> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-fuzz-'));
    const database = engine === 'postgres' ? await createMigratedDatabase() : undefined;
    const env = {
      ...serveSettings,
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      // One of the servers reads proxy headers.
      TRUST_PROXY: database ? '1' : 'off',
      ...(database ? { DATABASE_URL: database.url } : {}),
    };
    const server = await ServerProcess.start(env);
    const client = new ForumClient(server.url);
    const person = await client.person();
    const description = await readDescription<Description['paths']>(client);
    const known = await fillSite(client, person);
    const cleanUp = async () => {
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    };
    return new FuzzedServer(server, env, cleanUp, { known, person, description });
  }

  get url(): string {
    return this.#server.url;
  }

  get pid(): number {
    return this.#server.pid;
  }

  get peakMb(): number {
    return memoryOf(this.pid).peakMb;
  }

  isHealthy = async (): Promise<boolean> => {
    const signal = AbortSignal.timeout(healthTimeoutMs);
    return fetch(`${this.url}/healthz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
  };

  /** Checks the responses, the log, the memory and the health of the process. */
  async check(answers: Answer[]): Promise<void> {
    // A kept-alive connection may just have been closed, so try twice.
    const isHealthy = (await this.isHealthy()) || (await this.isHealthy());
    // Read log output that has already arrived.
    await nextLoop();
    const errors = this.#server.log
      .slice(this.#checkedLines)
      .filter(({ level }) => level >= errorLevel);
    this.#checkedLines = this.#server.log.length;
    if (!isHealthy) {
      const ending = await this.#startAgain();
      throw new Error(`the server is not healthy: ${JSON.stringify([...errors, ending])}`);
    }
    assert.deepEqual(errors, []);
    for (const answer of answers) checkResponse(answer);
    assert.ok(this.peakMb <= mostMb, `the server took ${this.peakMb} MB`);
  }

  /** Call after a request that may have ended the session. */
  async signInAgain(): Promise<void> {
    const client = new ForumClient(this.url);
    const { token } = await client.newSession(this.#person);
    this.known.token = token;
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    await this.#cleanUp();
  }

  /** Restarts the server, so that a failure can be shrunk. @returns exit code and output of the old process */
  async #startAgain(): Promise<{ code: number | null; said: string }> {
    this.#server.kill('SIGKILL');
    const ending = await this.#server.ended;
    this.#server = await ServerProcess.start(this.#env);
    this.#checkedLines = 0;
    return ending;
  }
}

/** Creates an account, an image, a channel, a comment and an unfinished upload. */
async function fillSite(client: ForumClient, person: Person): Promise<Known> {
  const image = await quarters(40, 30).png().toBuffer();
  const uploaded = await client.upload(person, image, { filename: 'plaza.png' });
  assert.equal(uploaded.status, 200);
  const channel = await client.channel(person);
  const comment = await client.comment(person, channel._id, 'Hola a todos');
  const upload = await TusUpload.begin(client.url, person, 1000);
  return {
    token: person.token,
    user: person.id,
    email: person.email,
    channel: channel._id,
    comment: comment.id,
    image: 'plaza.png',
    upload: upload.id,
  };
}
