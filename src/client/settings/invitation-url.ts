import { pageRoutes, withQuery } from '../../shared/routes.ts';

/** Id of the heading of a member's invitations. */
export const invitationsAnchor = 'invitaciones';

/** URL where a member makes an invitation that leads to a channel. */
export const invitationUrl = (channelId: string): string =>
  `${withQuery(pageRoutes.settings, { canal: channelId })}#${invitationsAnchor}`;
