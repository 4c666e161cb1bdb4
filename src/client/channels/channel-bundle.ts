/** What a channel's page needs besides the entry, for guests too. */
export { ChannelPage } from './channel-page.tsx';
