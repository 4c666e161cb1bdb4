import { encodePath, segment } from './routes.ts';

/** The paths of the API. Functions encode their arguments. */
export const apiRoutes = {
  channels: '/api/channels',
  channel: (id: string) => `/api/channels/${segment(id)}`,
  channelComments: (id: string) => `/api/channels/${segment(id)}/comments`,
  channelComment: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}`,
  restoreComment: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/restore`,
  thanks: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/thanks`,
  /** The dates of a comment. */
  event: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/event`,
  eventFile: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/event.ics`,
  rsvp: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/rsvp`,
  rsvps: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/rsvps`,
  acknowledgement: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/acknowledgement`,
  acknowledgements: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/acknowledgements`,
  announcementReminder: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/reminder`,
  /** PUT votes in the poll of a comment, GET lists who voted for an option. */
  votes: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/votes`,
  /** Files that visible comments carry. */
  documents: '/api/documents',
  /** How many people an announcement reaches. */
  reach: '/api/moderation/reach',
  ownRsvps: '/api/user/rsvps',
  /** GET says the address of the caller's calendar, POST renews it. */
  ownCalendar: '/api/user/calendar',
  calendar: '/api/calendar',
  /** What is the caller's in a range of a channel's comments. */
  mine: (id: string) => `/api/channels/${segment(id)}/mine`,
  replies: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/replies`,
  closeChannel: (id: string) => `/api/channels/${segment(id)}/close`,
  reopenChannel: (id: string) => `/api/channels/${segment(id)}/reopen`,
  restoreChannel: (id: string) => `/api/channels/${segment(id)}/restore`,
  channelLive: (id: string) => `/api/channels/${segment(id)}/live`,
  comment: '/api/channels/comment',
  signUp: '/api/auth/sign-up',
  signIn: '/api/auth/sign-in',
  signOut: '/api/auth/sign-out',
  setPassword: '/api/auth/password',
  /** POST opens a session for a remembered browser, DELETE ends the remembered browser. */
  resume: '/api/auth/resume',
  recover: '/api/auth/recover',
  passkeySignIn: '/api/auth/passkey',
  passkeySignInOptions: '/api/auth/passkey/options',
  me: '/api/user/me',
  restoreMe: '/api/user/me/restore',
  sessions: '/api/user/sessions',
  session: (id: string) => `/api/user/sessions/${segment(id)}`,
  recoveryCodes: '/api/user/recovery-codes',
  /** Whether to show the reminder of recovery codes; true only once. */
  recoveryReminder: '/api/user/recovery-codes/reminder',
  passkeys: '/api/user/passkeys',
  passkeyOptions: '/api/user/passkeys/options',
  passkey: (id: string) => `/api/user/passkeys/${segment(id)}`,
  export: '/api/user/export',
  updateImage: '/api/user/update-img',
  trash: '/api/user/trash',
  reads: '/api/user/reads',
  news: '/api/user/news',
  notifications: '/api/user/notifications',
  notificationsSeen: '/api/user/notifications/seen',
  notificationSettings: '/api/user/notification-settings',
  /** POST starts push messages to this browser, DELETE ends them. */
  push: '/api/user/push',
  /** Uses the token of a link, without a session. */
  confirmEmail: '/api/user/email/confirm',
  /** Sends the link again. */
  sendConfirmation: '/api/user/email/confirmation',
  level: (id: string) => `/api/channels/${segment(id)}/level`,
  users: '/api/users',
  user: (id: string) => `/api/users/${segment(id)}`,
  userChannels: (id: string) => `/api/users/${segment(id)}/channels`,
  userComments: (id: string) => `/api/users/${segment(id)}/comments`,
  userRole: (id: string) => `/api/users/${segment(id)}/role`,
  passwordLink: (id: string) => `/api/users/${segment(id)}/password-link`,
  versions: (id: string, number: string | number) =>
    `/api/channels/${segment(id)}/comments/${segment(String(number))}/versions`,
  reports: '/api/reports',
  report: (receipt: string) => `/api/reports/${segment(receipt)}`,
  queue: '/api/moderation/queue',
  members: '/api/moderation/members',
  summary: '/api/moderation/summary',
  decisions: '/api/moderation/decisions',
  decision: (id: string) => `/api/moderation/decisions/${segment(id)}`,
  undoDecision: (id: string) => `/api/moderation/decisions/${segment(id)}/undo`,
  ownReports: '/api/user/reports',
  ownDecisions: '/api/user/decisions',
  appeal: (id: string) => `/api/user/decisions/${segment(id)}/appeal`,
  log: '/api/log',
  rules: '/api/rules',
  siteSettings: '/api/moderation/settings',
  /** Says who invites, for a code. */
  invitedBy: '/api/auth/invitation',
  /** Invitations that moderators mail. */
  mailedInvitations: '/api/moderation/mailed-invitations',
  mailedInvitationAgain: (id: string) => `/api/moderation/mailed-invitations/${segment(id)}/again`,
  /** A chat of another service that becomes a channel. */
  movingIn: '/api/moderation/import',
  movedIn: (channelId: string) => `/api/moderation/import/${segment(channelId)}`,
  /** The people who wrote in a chat that became a channel. */
  importedPeople: (channelId: string) => `/api/moderation/import/${segment(channelId)}/people`,
  importedPersonLink: (channelId: string, id: string) =>
    `/api/moderation/import/${segment(channelId)}/people/${segment(id)}/link`,
  importedPersonClaim: (channelId: string, id: string) =>
    `/api/moderation/import/${segment(channelId)}/people/${segment(id)}/claim`,
  /** The words of imported people that the caller has claimed. */
  claims: '/api/user/claims',
  claim: (personId: string) => `/api/user/claims/${segment(personId)}`,
  invitations: '/api/invitations',
  invitation: (id: string) => `/api/invitations/${segment(id)}`,
  /** Comments and channels of the caller that await a moderator. */
  pendingPosts: '/api/user/pending',
  pendingPost: (id: string) => `/api/user/pending/${segment(id)}`,
  search: '/api/search',
  uploads: '/api/uploads',
  /** Metadata of a stored image; `fullPath` is `images/<file name>`. */
  storedFile: (fullPath: string) => `/api/files/${encodePath(fullPath)}`,
} as const;
