import type { Demo } from '../scripts/demo/start-demo.ts';
import type { Channel, ChannelPage } from '../src/shared/channels.ts';
import { apiRoutes } from '../src/shared/routes.ts';

const comments = 20;

/** The demo's channel of twenty comments, or next above; it has a cover, as all there have. */
export async function channelOfTwenty({ url }: Demo): Promise<Channel> {
  const response = await fetch(`${url}${apiRoutes.channels}?comments=0`);
  const { data } = (await response.json()) as ChannelPage;
  const fitting = data.filter(({ commentCount }) => commentCount >= comments);
  const [channel] = fitting.sort((a, b) => a.commentCount - b.commentCount);
  if (!channel) throw new Error(`the demo has no channel of ${comments} comments`);
  return channel;
}
