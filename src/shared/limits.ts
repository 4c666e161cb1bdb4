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
  /** Of the quotation that a reply carries. */
  replyExcerptChars: 300,
  mentionsPerComment: 50,
  imagesPerComment: 4,
  imageAltChars: 300,
  /** How long authors can edit their comments, and the name of their channels. */
  editHours: 24,
  /** An edit within this time is not marked, unless somebody has answered. */
  unmarkedEditMinutes: 5,
  /** How long the deletion of an account can be cancelled. */
  deletionDays: 14,
  /** How long a deleted comment or channel can be restored. */
  binDays: 30,
  /** Names given with the thanks for a comment. */
  thanksNames: 5,
  /** Reading positions in one request, and channels in one question for news. */
  readsPerRequest: 100,
  /** People whom the list of a mention offers. */
  mentionCandidates: 8,
  /** Unread comments of a channel are counted up to this. */
  unreadCount: mostUnread,
  /** Of the address of an image. PostgreSQL cannot index texts of more than 2,704 bytes. */
  imageUrlBytes: 2048,
  /**
   * A request may send this many times the characters of a text's limit, or the bytes of a password's.
   * No character decomposes into more, so a text within its limit is accepted in every normal form.
   */
  rawFactor: 4,
  /** Successive combining marks. Normalising sorts them in quadratic time; no language needs ten. */
  marksInARow: 100,
  /** File name of an upload, as sent; a shorter one is stored. More than any file system allows. */
  fileNameChars: 1024,
  /** Of what is searched for. */
  searchChars: 200,
  /** Hits on one page of the search. */
  hitsPerPage: 20,
  /** Items in one page of a list. */
  listItems: 100,
  /**
   * Bytes of JSON of all channels at the bare address, so that the response stays below 4 MB. A hundred
   * channels without comments always fit; comments are left out beyond it.
   */
  listBytes: 3_900_000,
  /** Bytes of JSON of the items on a page of any other list, so that the response stays below 1.3 MB. */
  pageBytes: 1_200_000,
  /** Comments in one answer of the list of channels, other than that to its bare address. */
  listComments: 500,
  /** Channels on one page of the home screen. */
  channelsPerPage: 20,
  /** Comments on one page of a channel. */
  commentsPerPage: 50,
  /** Comments on one page of a person. */
  commentsPerPerson: 20,
  /** Comments on one page of a bin. */
  commentsPerBinPage: 20,
} as const;
