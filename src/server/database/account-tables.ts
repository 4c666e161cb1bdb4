import type { Generated } from 'kysely';
import type { Role } from '../../shared/moderation.ts';
import type { Every, Important, ModerationMails } from '../../shared/notification-settings.ts';
import type { Follow, Level, NotificationKind } from '../../shared/notifications.ts';

export type MailKind =
  | 'recover'
  | 'confirm'
  | 'address-changed'
  | 'notices'
  | 'news'
  | 'moderation'
  | 'invitation';

/** Accounts, credentials, sessions, and other rows that belong to one account. Times are milliseconds since 1970 in UTC. */
export interface AccountTables {
  accounts: {
    id: string;
    name: string;
    email: string;
    /** `emailKey(email)`, unique; null for an imported person, and once the account is erased. */
    email_key: string | null;
    /** PHC string. */
    password_hash: string;
    img: string | null;
    created_at_ms: number;
    /** When sign-in was disabled; null while it is allowed. */
    disabled_at_ms: number | null;
    /** `nameKey(name)`; null once the account is erased. */
    name_key: string | null;
    /** When its owner last changed the name; null for never. */
    name_changed_at_ms: number | null;
    /** When it is due to be erased: its owner asked for it, or it was not approved in time. Null otherwise, and once erased. */
    deletion_at_ms: number | null;
    /** Whether its content stays without its name (`anonymous`) or is erased as well (`erase`). */
    deletion_content: string | null;
    /** When its owner or the operator asked for its deletion; null when it is due because it was not approved in time. */
    deletion_requested_at_ms: number | null;
    /** When its owner last made recovery codes or was reminded of them; null for never. */
    recovery_reminded_at_ms: number | null;
    /** Id of the newest of its notifications when they were last viewed. */
    notifications_seen_id: Generated<number>;
    /** When it was erased. The row stays, without personal data, because other rows refer to it. */
    erased_at_ms: number | null;
    role: Generated<Role>;
    /** The decision that hides all content of the account and silences it; null while there is none. */
    hidden_by: string | null;
    /**
     * An account that waits for approval or was refused cannot sign in; null once it is admitted. That of an imported person
     * has no owner, e-mail address or password.
     */
    admission: 'pending' | 'refused' | 'imported' | null;
    /** The answer to "¿Quién eres?" in a request for an account; empty unless the account waits for approval. */
    about: Generated<string>;
    /** The decision that refused it; null when the operator refused it by disabling it. */
    refused_by: string | null;
    /** The invitation with which it was created; null without one. */
    invitation_id: string | null;
    /** When it was approved; see accounts/standing/approval.ts. */
    approved_at_ms: number | null;
    /** When its owner confirmed the present e-mail address; null while it is unconfirmed. */
    email_confirmed_at_ms: number | null;
    /** How often its news is sent by e-mail, once the address is confirmed. */
    mail_every: Generated<Every>;
    /** Random key from which the tokens in its mails are derived. Null until the first mail with a token. */
    mail_secret: string | null;
    /** When a server first refused its address; null once a mail was accepted, or the owner asked for news again. */
    mail_refused_at_ms: number | null;
    /** Mails in a row that were given up since one was accepted. */
    mails_given_up: Generated<number>;
    /** It is mailed neither news nor what awaits moderators before this time; 0 while its mails arrive. */
    mail_after_ms: Generated<number>;
    /** Id of the newest of its notifications that a sent digest covered, or that there was nothing left to say about. */
    mailed_notification_id: Generated<number>;
    /** Likewise, of the kinds that do not wait for the digest. */
    mailed_notice_id: Generated<number>;
    /** When news was last mailed to it; 0 before. */
    mailed_at_ms: Generated<number>;
    /** The level of channels for which it never chose one; null for the community's. */
    follow: Follow | null;
    /** 1 if it is told of new channels; otherwise 0. */
    tells_channels: Generated<number>;
    /** How it is told of dates that it comes to, and of other important things. */
    important: Generated<Important>;
    /** Counts how often the address of its calendar was renewed; the address derives from it. */
    calendar_renewals: Generated<number>;
    /** How often it is mailed about what awaits moderators, while it is one. */
    mail_moderation: Generated<ModerationMails>;
    /** When a mail about what awaits moderators was last queued for it. */
    moderation_mailed_at_ms: Generated<number>;
    /** 1 if its push messages quote the comment or the reason; otherwise 0. */
    push_excerpts: Generated<number>;
    /** IANA name of the time zone that its browser named; null for the community's. */
    zone: string | null;
    /** 1 if it is pushed nothing at night in its zone; otherwise 0. */
    quiet_nights: Generated<number>;
  };
  invitations: {
    /** UUIDv7, so that ids sort by time. */
    id: string;
    /** SHA-256 of the code, base64url. */
    code_hash: string;
    /** The account that made the invitation. */
    account_id: string;
    uses: number;
    used: number;
    created_at_ms: number;
    ends_at_ms: number;
    /** Null unless it was revoked. */
    revoked_at_ms: number | null;
  };
  /** Invitations that were mailed. Their ids are those of rows of `invitations`, by which they are used. */
  mailed_invitations: {
    id: string;
    email: string;
    /** As returned by `emailKey`; unique. */
    email_key: string;
    /** Empty if unknown. */
    name: string;
    /** The code of the invitation, because its mail is made when it is sent. */
    code: string;
    created_at_ms: number;
    /** When the link ends and the address is erased. */
    ends_at_ms: number;
    /** When it was queued once more. */
    again_at_ms: number | null;
    /** When a mail server accepted the last mail. */
    sent_at_ms: number | null;
    /** When a mail server refused the address. */
    refused_at_ms: number | null;
  };
  /** Words of account names, in the forms returned by `findForms`. */
  account_names: {
    word: string;
    account_id: string;
  };
  /** Remembered browsers, which stay signed in. */
  devices: {
    id: string;
    /** SHA-256 of the cookie's value, base64url. */
    token_hash: string;
    account_id: string;
    /** SHA-256 of the reading cookie's value, base64url; null until the browser has read a community of members. */
    reader_hash: Generated<string | null>;
    /** Name of browser and operating system, as shown to people. */
    browser: string;
    created_at_ms: number;
    last_used_at_ms: number;
    expires_at_ms: number;
  };
  /** Remembered browsers that are sent push messages, and how far each has been sent them. */
  push_subscriptions: {
    /** The remembered browser. The subscription ends with it. */
    device_id: string;
    account_id: string;
    /** Secret URL of the browser at its push service. */
    endpoint: string;
    /** The browser's public key, base64url. */
    p256dh: string;
    /** The secret shared with the browser, base64url. */
    auth: string;
    created_at_ms: number;
    /** Id of the newest of the account's notifications that was pushed to it, or was not to be. */
    pushed_notification_id: number;
    /** Failed attempts at the present message. */
    tries: Generated<number>;
    /** When the account's news is looked at for this browser; null while nothing was written since the last time. */
    next_try_at_ms: number | null;
  };
  sessions: {
    /** SHA-256 of the token, base64url. A fast hash suffices: 256 random bits cannot be guessed from a stolen table. */
    token_hash: string;
    /** Public, unlike the token. */
    id: string;
    account_id: string;
    /** The remembered browser that opened the session. Removing the browser ends the session. */
    device_id: string | null;
    /** As in `devices`; null when the browser is remembered. */
    reader_hash: Generated<string | null>;
    /** As in `devices`. */
    browser: Generated<string>;
    created_at_ms: number;
    /** Updated on first use, then at most once an hour. */
    last_used_at_ms: number;
    expires_at_ms: number;
  };
  /** Single-use codes to set a new password. */
  recovery_codes: {
    /** SHA-256 of account and code, base64url. */
    code_hash: string;
    account_id: string;
    created_at_ms: number;
  };
  passkeys: {
    /** Credential id, base64url. */
    id: string;
    account_id: string;
    /** COSE key, base64url. */
    public_key: string;
    counter: number;
    /** JSON array of WebAuthn's transports. */
    transports: string;
    /** Given by its owner. */
    name: string;
    created_at_ms: number;
    last_used_at_ms: number | null;
  };
  /** Challenges that were issued and have not been answered. */
  passkey_challenges: {
    /** SHA-256 of the challenge, base64url. */
    challenge_hash: string;
    /** The account that adds a passkey; null for a sign-in. */
    account_id: string | null;
    expires_at_ms: number;
  };
  /** Single-use links to set a new password. */
  password_links: {
    /** SHA-256 of the token, base64url. */
    token_hash: string;
    account_id: string;
    expires_at_ms: number;
    /** The moderator who made it; null when the operator made it or it was mailed. */
    made_by: string | null;
    /** The mail that delivers it to an owner who asked for it; null when a moderator or the operator made it. */
    mail_id: string | null;
  };
  /** Single-use links that confirm the present e-mail address. */
  email_confirmations: {
    /** SHA-256 of the token, base64url. */
    token_hash: string;
    /** Unique. */
    account_id: string;
    expires_at_ms: number;
  };
  /** The mail queue, including mails of the last two days. Texts are generated when a mail is sent. */
  mails: {
    /** UUIDv7. The Message-ID begins with it. */
    id: string;
    /** The recipient; for an invitation who invites. */
    account_id: string;
    /** The invitation that it contains. */
    invitation_id: string | null;
    kind: MailKind;
    /** Mails with a lower rank are sent first. */
    rank: number;
    /** The former address, for the mail about its change; that of who is invited; null for the account's present one. */
    email: string | null;
    /** A mail of news or notices contains the notifications with ids above this one, up to `notification_id`. */
    after_notification_id: Generated<number>;
    notification_id: Generated<number>;
    created_at_ms: number;
    /** It is not tried from this time on: a day after it was queued, the end of the day of a digest, or of its link. */
    ends_at_ms: number;
    tries: Generated<number>;
    /** Null once it was sent or abandoned. */
    next_try_at_ms: number | null;
    /** When a mail server accepted it. */
    sent_at_ms: number | null;
  };
  /** How far each person has read each channel. A position only increases. */
  reading_positions: {
    account_id: string;
    channel_id: string;
    number: number;
    /**
     * Which comments of the channel count as news for the person; null while it never chose
     * (notifications/channel-levels.ts).
     */
    level: Level | null;
  };
  /**
   * Everything that a person is told, stored for 90 days: see the kinds in shared/notification-kinds.ts. Whether one is
   * new or visible is computed when it is read.
   */
  notifications: {
    /** Never reused. */
    id: Generated<number>;
    /** The recipient. */
    account_id: string;
    kind: NotificationKind;
    /** Null for a decision. */
    channel_id: string | null;
    /**
     * Number of the reply, of the comment with the mention, of the recipient's comment that was thanked, or of the first new
     * comment of a channel that it follows. Null for a new channel and a decision.
     */
    number: number | null;
    /** The person who replied, mentioned the recipient, gave thanks or created the channel. Null for other kinds. */
    actor_id: string | null;
    decision_id: string | null;
    /** Tells apart what a comment tells a person more than once. */
    occasion: Generated<number>;
    created_at_ms: number;
    /** 1 if an edit added the mention, which somebody who had read the comment before has not seen; otherwise 0. */
    by_edit: Generated<number>;
  };
}
