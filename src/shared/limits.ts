/** Every number that both sides, or more than one module, must agree on. Source: contract. */
export const limits = {
  /** Characters are Unicode code points, counted after trimming and NFC. */
  userNameChars: 80,
  emailChars: 254,
  passwordBytes: 1024,
  channelNameChars: 120,
  descriptionChars: 5000,
  coverAltChars: 300,
  commentChars: 10_000,
  imageUrlChars: 2048,
  /**
   * Characters that may be sent for each that a text may hold, and bytes for each byte of a password.
   * No character decomposes into more, so a text within its limit is taken in every normal form.
   */
  rawFactor: 4,
  /** Combining marks in a row. Normalising sorts them in quadratic time; no language needs ten. */
  marksInARow: 100,
  /** Name of an uploaded file as it is sent; it is stored shorter. No file system takes as many. */
  fileNameChars: 1024,
  /** Most items one list answer may hold. */
  listItems: 100,
  /**
   * Bytes of JSON that the items of one list answer may take up, below 4 MB with what surrounds them:
   * comments stop there. A hundred channels without comments always fit.
   */
  listBytes: 3_900_000,
  /** Channels on one page of the home screen. */
  channelsPerPage: 20,
  /** Comments on one page of a channel. */
  commentsPerPage: 50,
} as const;
