import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildApp } from '../../src/server/app.ts';
import { setRole } from '../../src/server/moderation/members/roles.ts';
import { openSite } from '../../src/server/operation/start/open-site.ts';
import { parseConfig } from '../../src/server/system/settings/config.ts';
import { DemoClient } from './demo-client.ts';
import { type DemoAccount, fillForum } from './fill.ts';
import { drawDemoImages } from './images.ts';

export interface Demo {
  url: string;
  /** Temporary folder with the database and the images. */
  dataDir: string;
  people: DemoAccount[];
  /** One of them, who moderates the forum. */
  moderator: DemoAccount;
  /** Ids by name of the file in `content/`. */
  channels: Map<string, string>;
  /** Stops serving and removes the folder. */
  stop: () => Promise<void>;
}

/**
 * Starts the server on a temporary folder and fills it.
 * @param env settings as for the server; data folder, database and bucket are ignored
 * @param imageScale scale of all images, whose smaller variants take most of the start
 */
export async function startDemo(
  env: Record<string, string | undefined> = {},
  imageScale = 1,
): Promise<Demo> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-demo-'));
  const opened: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    const elsewhere = /^(DATA_DIR|DATABASE_URL|S3_.*)$/;
    const settings = Object.entries(env).filter(([name]) => !elsewhere.test(name));
    const config = parseConfig({
      LOG_LEVEL: 'error',
      // The demo writes three weeks of comments within seconds.
      RATE_LIMITS: 'off',
      ...Object.fromEntries(settings),
      DATA_DIR: dataDir,
    });
    let pastMs: number | undefined;
    const images = await drawDemoImages(imageScale);
    const services = await openSite(config, { now: () => pastMs ?? Date.now() });
    opened.push(services.close);
    const app = await buildApp(services, { logger: { level: config.logLevel } });
    opened.push(() => app.close());
    const url = await app.listen({ host: config.host, port: config.port });
    const setClock = (timeMs: number) => {
      pastMs = timeMs;
    };
    const operator = { ...services, actorName: 'demo', note: '' };
    const filled = await fillForum(new DemoClient(url), images, setClock, (id) =>
      setRole(operator, id, 'admin'),
    );
    pastMs = undefined;
    return { url, dataDir, ...filled, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
