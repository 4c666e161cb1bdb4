import { mostUnread } from './number-texts.ts';

/** Limits that the server enforces and the client shows. */
export const limits = {
  /** Characters are Unicode code points, counted after trimming and NFC. */
  userNameChars: 80,
  emailChars: 254,
  passwordBytes: 1024,
  /** As typed, with spaces and hyphens. */
  recoveryCodeChars: 200,
  passkeyNameChars: 80,
  passkeysPerAccount: 10,
  channelNameChars: 120,
  descriptionChars: 5000,
  coverAltChars: 300,
  commentChars: 10_000,
  /** Length of the quotation in a reply. */
  replyExcerptChars: 300,
  mentionsPerComment: 50,
  /** People whom a comment notifies by mentioning them, besides the one it answers. */
  notificationsPerComment: 5,
  imagesPerComment: 4,
  imageAltChars: 300,
  /** How long authors can edit their comments, and the name of their channels. */
  editHours: 24,
  /** Edits within this time are not marked, unless somebody has replied. */
  unmarkedEditMinutes: 5,
  /** How long the deletion of an account can be cancelled. */
  deletionDays: 14,
  /** How long a deleted comment or channel can be restored. */
  trashDays: 30,
  /** Names listed with the thanks for a comment. */
  thanksNames: 5,
  /** Reading positions in one request, and channels in one request for news. */
  readsPerRequest: 100,
  mentionCandidates: 8,
  /** People whom one notification names with their pictures. */
  notificationPeople: 3,
  /** Merged notifications on one page. */
  notificationsPerPage: 20,
  /** Unread comments of a channel are counted up to this. */
  unreadCount: mostUnread,
  /** Length of an image's URL. PostgreSQL cannot index texts of more than 2,704 bytes. */
  imageUrlBytes: 2048,
  /**
   * A request can send this many times the characters of a text's limit, or the bytes of a password's. No
   * character decomposes into more, so a text within its limit is accepted in every normal form.
   */
  rawFactor: 4,
  /** Successive combining marks. Normalizing sorts them in quadratic time; no language needs ten. */
  marksInARow: 100,
  /** File name of an upload, as sent; a shorter one is stored. More than any file system allows. */
  fileNameChars: 1024,
  /** Length of the reason of a decision, of a report's explanation and of an appeal. */
  reasonChars: 2000,
  /** Accounts that one decision can hide. */
  raidAccounts: 200,
  /** Comments and channels of one account that wait for a moderator. */
  pendingPerAccount: 20,
  /** The signals, for accounts younger than these days: links, channels and comments a day. */
  youngDays: 3,
  youngLinks: 2,
  youngChannels: 1,
  youngComments: 10,
  /** How long an invitation is valid unless it says otherwise, how long at most, and how many people it lets in. */
  invitationDays: 7,
  longestInvitationDays: 30,
  invitationUses: 200,
  /** Length of what somebody who asks to be let in says about themselves. */
  aboutChars: 500,
  siteNameChars: 60,
  welcomeChars: 200,
  rulesChars: 20_000,
  contactChars: 200,
  linkLabelChars: 40,
  searchChars: 200,
  /** Hits on one page of the search. */
  hitsPerPage: 20,
  /** Items in one page of a list. */
  listItems: 100,
  /** Bytes of JSON of the items on a page of a list, so that the response stays below 1.3 MB. */
  pageBytes: 1_200_000,
  /** Comments embedded in one list of channels. */
  listComments: 500,
  /** Bytes of their texts. */
  listTextBytes: 1_000_000,
  /** Channels on one page of the home screen. */
  channelsPerPage: 20,
  /** Channels that home shows first. */
  pinnedChannels: 3,
  /** Comments on one page of a channel. */
  commentsPerPage: 50,
  /** Comments on one page of a person. */
  commentsPerPerson: 20,
  commentsPerTrashPage: 20,
} as const;
