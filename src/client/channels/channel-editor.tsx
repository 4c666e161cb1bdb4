import type { Channel } from '../../shared/channels.ts';
import type { Result } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { useStore } from '../state/store-provider.tsx';
import { editChannel, getChannel } from './channel-calls.ts';
import { ChannelForm } from './channel-form.tsx';

/** Changes an own channel in the place of its heading. */
export function ChannelEditor({ channel, onEnd }: { channel: Channel; onEnd: () => void }) {
  const { dispatch } = useStore();
  const show = (result: Result<Channel>) => {
    if (result.ok) dispatch({ type: 'CHANNEL_CHANGED', channel: result.value });
    return result;
  };
  return (
    <ChannelForm
      channel={channel}
      save={async (change) => show(await request(editChannel, change))}
      reload={async () => show(await request(getChannel, { id: channel._id, comments: 0 }))}
      onEnd={onEnd}
    />
  );
}
