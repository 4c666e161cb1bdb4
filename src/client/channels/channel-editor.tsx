import type { Channel } from '../../shared/channels.ts';
import { request } from '../api/request.ts';
import { focusTitle } from '../components/page-title.tsx';
import { useStore } from '../state/store-provider.tsx';
import { editChannel, getChannel } from './channel-calls.ts';
import { type ChannelChange, ChannelForm } from './channel-form.tsx';

/** Changes an own channel in the place of its heading. */
export function ChannelEditor({ channel, onEnd }: { channel: Channel; onEnd: () => void }) {
  const { dispatch } = useStore();
  const save = async (change: ChannelChange) => {
    const result = await request(editChannel, change);
    const isStale = !result.ok && result.problem?.status === 412;
    const current = isStale ? await request(getChannel, { id: channel._id, comments: 0 }) : result;
    if (current.ok) dispatch({ type: 'CHANNEL_CHANGED', channel: current.value });
    return result;
  };
  const end = () => {
    onEnd();
    requestAnimationFrame(focusTitle);
  };
  return <ChannelForm channel={channel} save={save} onEnd={end} />;
}
