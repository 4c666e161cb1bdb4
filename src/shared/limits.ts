import { mostUnread } from './number-texts.ts';

/** Limits that the server enforces and the client shows. */
export const limits = {
  /** Characters are Unicode code points, counted after trimming and NFC. */
  userNameChars: 80,
  emailChars: 254,
  passwordBytes: 1024,
  /** As typed, with spaces and hyphens. */
  recoveryCodeChars: 200,
  /** How long a link that confirms an address is valid. */
  confirmationDays: 3,
  /** How long a link that sets a new password is valid. */
  passwordLinkMinutes: 30,
  passkeyNameChars: 80,
  passkeysPerAccount: 10,
  channelNameChars: 120,
  descriptionChars: 5000,
  coverAltChars: 300,
  commentChars: 10_000,
  /** Length of the quote in a reply. */
  mentionsPerComment: 50,
  imagesPerComment: 4,
  imageAltChars: 300,
  filesPerComment: 4,
  /** People of one chat that moves in. */
  importedPeople: 5000,
  /** How long an uploaded chat is stored. */
  importHours: 24,
  eventTitleChars: 80,
  eventLocationChars: 120,
  /** Dates of one comment: a year of weeks. */
  eventDates: 53,
  /** How far ahead a date may be. */
  eventYears: 5,
  eventCapacity: 5000,
  /** Length of the reason for which a date is cancelled. */
  eventReasonChars: 200,
  /** People who come with one answer. */
  rsvpPeople: 10,
  /** Dates that home shows, and how far ahead. */
  homeDates: 3,
  homeDays: 14,
  /** From this length a date that is on comes after those to come, which it would otherwise hide for weeks. */
  longDateHours: 36,
  /** Dates that the page of a channel shows beside its comments. */
  channelDates: 5,
  fewestPollOptions: 2,
  pollOptions: 12,
  pollOptionChars: 100,
  /** How soon and how late a poll may close, and when it does if nothing is chosen. */
  pollMinutes: 10,
  pollDays: 90,
  usualPollDays: 7,
  /** A secret poll in which fewer people voted has no result. */
  fewestSecretVoters: 3,
  /** Open polls and latest documents beside the comments of a channel. */
  asideItems: 5,
  /** Files on one page of the list of documents. */
  documentsPerPage: 50,
  /** How long authors can edit their comments and their channels' names. */
  editHours: 24,
  /** Edits within this time are not marked, unless the comment has a reply. */
  unmarkedEditMinutes: 5,
  /** How long the deletion of an account can be cancelled. */
  deletionDays: 14,
  /**
   * How long a deleted comment or channel can be restored. Earlier versions, decided reports, pending and rejected posts
   * and refused accounts are kept as long.
   */
  trashDays: 30,
  /** How long a session that is not used lasts, unless the operator has set another time. */
  sessionDays: 30,
  /** Names listed with the thanks for a comment. */
  thanksNames: 5,
  /** Reading positions in one request, and channels in one request for news. */
  readsPerRequest: 100,
  /** People whose names and avatars one notification shows. */
  notificationPeople: 3,
  /** How long notifications and decisions are listed. */
  notificationDays: 90,
  /** How long a channel that a person never opened is marked as new. */
  newChannelDays: 30,
  /** Grouped notifications on one page. */
  notificationsPerPage: 20,
  /** Unread comments of a channel are counted up to this number. */
  unreadCount: mostUnread,
  /** Pixels of a 50-megapixel sensor, the most that an image may have. */
  imagePixels: 8192 * 6144,
  /** Requests with which an account may upload at a time. */
  uploadsAtOnce: 4,
  /** Length of an image's URL. PostgreSQL cannot index texts of more than 2,704 bytes. */
  imageUrlBytes: 2048,
  /**
   * A request may send this many times the character limit of a text, or the byte limit of a password. No character
   * decomposes into more, so a text within its limit is accepted in every normal form.
   */
  rawFactor: 4,
  /** Consecutive combining marks. Normalizing sorts them in quadratic time, and no language needs ten. */
  marksInARow: 100,
  /** File name of an upload, as sent; a shorter one is stored. No file system allows as much. */
  fileNameChars: 1024,
  /** Length of the reason for a decision, of a report's explanation and of an appeal. */
  reasonChars: 2000,
  /** How long a decision can keep somebody from writing or signing in, unless it has no end. */
  restrictionDays: 365,
  /** Maximum number of accounts that one decision can hide. */
  raidAccounts: 200,
  /** Maximum number of comments and channels of one account that await a moderator. */
  pendingPerAccount: 20,
  /** Age in days below which the signals apply to an account: links, channels per day and comments per day. */
  youngDays: 3,
  youngLinks: 2,
  youngChannels: 1,
  youngComments: 10,
  /** Default and maximum validity of an invitation, and the maximum number of people it admits. */
  invitationDays: 7,
  longestInvitationDays: 30,
  invitationUses: 200,
  invitationsPerDay: 10,
  /** People invited by mail with one request. */
  invitedAtOnce: 100,
  exportsPerDay: 3,
  /** Length of an applicant's text about themselves. */
  aboutChars: 500,
  siteNameChars: 60,
  welcomeChars: 200,
  rulesChars: 20_000,
  contactChars: 200,
  linkLabelChars: 40,
  zoneChars: 64,
  searchChars: 200,
  /** Hits on one page of search results. */
  hitsPerPage: 20,
  /** Items in one page of a list. */
  listItems: 100,
  /** Bytes of JSON for the items on a page of a list, so that the response stays below 1.3 MB. */
  pageBytes: 1_200_000,
  /** Comments embedded in one list of channels. */
  listComments: 500,
  /** Bytes of the texts of those comments. */
  listTextBytes: 1_000_000,
  /** Channels on one page of the home screen. */
  channelsPerPage: 20,
  /** Channels that the home page shows first. */
  pinnedChannels: 3,
  /** Comments on one page of a channel. */
  commentsPerPage: 50,
  /** Comments on one page of a person's profile. */
  commentsPerPerson: 20,
  commentsPerTrashPage: 20,
} as const;
