/** What a channel's page needs besides the entry, for guests too. */
export { ChannelPage } from '../channels/channel-page.tsx';
