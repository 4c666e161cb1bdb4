import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Channel, ChannelPage } from '../src/shared/channels.ts';
import { apiRoutes } from '../src/shared/routes.ts';

const program = path.resolve(import.meta.dirname, '../scripts/demo.ts');
const comments = 20;

export interface DemoServer {
  url: string;
  /** Of somebody who may sign in. */
  email: string;
  password: string;
  /** A channel of twenty comments, or next above; it has a cover, as all there have. */
  channel: Channel;
  stop(): Promise<void>;
}

/** The demo as `npm run demo` shows it, in a process of its own. */
export async function startDemoServer(): Promise<DemoServer> {
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', RATE_LIMITS: 'off' };
  const demo = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async () => {
    const ended = once(demo, 'exit');
    demo.kill('SIGTERM');
    await ended;
  };
  let said = '';
  for await (const text of demo.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text;
    const [, url, email, password] =
      /(http:\S+)\s+Sign in as (\S+) with the password (\S+)/.exec(said) ?? [];
    if (url && email && password) {
      return { url, email, password, channel: await channelOfTwenty(url), stop };
    }
  }
  throw new Error('the demo did not start');
}

async function channelOfTwenty(url: string): Promise<Channel> {
  const response = await fetch(`${url}${apiRoutes.channels}?comments=0`);
  const { data } = (await response.json()) as ChannelPage;
  const fitting = data.filter(({ commentCount }) => commentCount >= comments);
  const [channel] = fitting.sort((a, b) => a.commentCount - b.commentCount);
  if (!channel) throw new Error(`the demo has no channel of ${comments} comments`);
  return channel;
}
