import { findNames } from '../../comments/mention-names.ts';
import { streamRows } from '../../database/read-rows.ts';
import { toPlainText } from '../../database/stored-text.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { isNotMarkedForErasure } from '../../database/visible-rows.ts';
import { type HeldRow, imagesOf, postOf, textOf } from '../../held/held-rows.ts';
import { exportedImage } from './exported-images.ts';

const toInstantOrNull = (ms: number | null) => (ms === null ? null : toInstant(ms));

/** The account itself, with the receipt of a requested deletion. */
export async function* accountRow(db: Database, id: string): AsyncGenerator<object> {
  const account = await db
    .selectFrom('accounts')
    .select(['name', 'email', 'img', 'created_at_ms', 'name_changed_at_ms', 'deletion_receipt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  yield {
    id,
    name: account.name,
    email: account.email,
    img: account.img,
    createdAt: toInstant(account.created_at_ms),
    nameChangedAt: toInstantOrNull(account.name_changed_at_ms),
    deletion: account.deletion_receipt && JSON.parse(account.deletion_receipt),
  };
}

/** Sessions, remembered browsers and passkeys of the account. */
export async function* sessionRows(db: Database, id: string): AsyncGenerator<object> {
  for (const table of ['sessions', 'devices'] as const) {
    const rows = await db
      .selectFrom(table as 'devices')
      .select(['browser', 'created_at_ms', 'last_used_at_ms', 'expires_at_ms'])
      .where('account_id', '=', id)
      .execute();
    yield* rows.map((row) => ({
      kind: table === 'devices' ? 'remembered browser' : 'session',
      browser: row.browser,
      createdAt: toInstant(row.created_at_ms),
      lastUsedAt: toInstant(row.last_used_at_ms),
      expiresAt: toInstant(row.expires_at_ms),
    }));
  }
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['name', 'created_at_ms', 'last_used_at_ms'])
    .where('account_id', '=', id)
    .execute();
  yield* passkeys.map((row) => ({
    kind: 'passkey',
    name: row.name,
    createdAt: toInstant(row.created_at_ms),
    lastUsedAt: toInstantOrNull(row.last_used_at_ms),
  }));
}

/** Channels of the account, also hidden and deleted ones, and none that is being erased. */
export async function* channelRows(db: Database, id: string): AsyncGenerator<object> {
  const channels = db
    .selectFrom('channels')
    .selectAll()
    .where('account_id', '=', id)
    .where(isNotMarkedForErasure)
    .orderBy('id');
  for await (const rows of streamRows(db, channels)) {
    yield* rows.map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      cover: row.cover,
      coverAlt: row.cover_alt,
      createdAt: toInstant(row.created_at_ms),
      editedAt: toInstantOrNull(row.edited_at_ms),
      closedAt: toInstantOrNull(row.closed_at_ms),
      deletedAt: toInstantOrNull(row.deleted_at_ms),
      hiddenAt: toInstantOrNull(row.hidden_at_ms),
    }));
  }
}

/** Earlier versions of the same channels. */
export async function* channelVersionRows(db: Database, id: string): AsyncGenerator<object> {
  const versions = db
    .selectFrom('channels')
    .innerJoin('channel_versions', 'channel_versions.channel_id', 'channels.id')
    .selectAll('channel_versions')
    .where('channels.account_id', '=', id)
    .where(isNotMarkedForErasure)
    .orderBy('channels.id')
    .orderBy('channel_versions.revision');
  for await (const rows of streamRows(db, versions)) {
    yield* rows.map((version) => ({
      id: version.channel_id,
      revision: version.revision,
      name: version.name,
      description: version.description,
      cover: version.cover,
      coverAlt: version.cover_alt,
      replacedAt: toInstant(version.replaced_at_ms),
    }));
  }
}

/** Comments that the account gave thanks for. */
export async function* thanksRows(db: Database, id: string): AsyncGenerator<object> {
  const thanks = db
    .selectFrom('comment_thanks')
    .select(['channel_id', 'number', 'created_at_ms'])
    .where('account_id', '=', id)
    .orderBy('channel_id')
    .orderBy('number');
  for await (const rows of streamRows(db, thanks)) {
    yield* rows.map(({ channel_id, number, created_at_ms }) => ({
      channelId: channel_id,
      number,
      createdAt: toInstant(created_at_ms),
    }));
  }
}

/** Reading positions of the account. */
export async function* readingRows(db: Database, id: string): AsyncGenerator<object> {
  const positions = db
    .selectFrom('reading_positions')
    .select(['channel_id', 'number'])
    .where('account_id', '=', id)
    .orderBy('channel_id');
  for await (const rows of streamRows(db, positions)) {
    yield* rows.map(({ channel_id, number }) => ({ channelId: channel_id, number }));
  }
}

/** Decisions about the account and what it wrote, with its appeals. */
export async function* decisionRows(db: Database, id: string): AsyncGenerator<object> {
  const decisions = db
    .selectFrom('decision_accounts')
    .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
    .select(['decision_id', 'at_ms', 'action', 'category', 'reason', 'until_ms', 'undone_at_ms'])
    .select(['subject_kind', 'subject_id', 'ended_by', 'appeal', 'appealed_at_ms'])
    .where('account_id', '=', id)
    .orderBy('decision_id');
  for await (const rows of streamRows(db, decisions)) {
    yield* rows.map((row) => ({
      id: row.decision_id,
      at: toInstant(row.at_ms),
      action: row.action,
      category: row.category,
      reason: row.reason,
      // A wave names other accounts.
      subject: row.subject_kind === 'arrivals' ? id : row.subject_id,
      until: toInstantOrNull(row.until_ms),
      undoneAt: toInstantOrNull(row.undone_at_ms),
      isEnded: row.ended_by !== null,
      appeal: row.appeal,
      appealedAt: toInstantOrNull(row.appealed_at_ms),
    }));
  }
}

/** Reports by the account, as long as they are kept, without what they are about, which others wrote. */
export async function* reportRows(db: Database, id: string): AsyncGenerator<object> {
  const reports = db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'reports.case_id')
    .select(['receipt', 'subject_kind', 'subject_id', 'reason', 'created_at_ms', 'decided_at_ms'])
    .select('reports.text')
    .where('reports.account_id', '=', id)
    .orderBy('reports.id');
  for await (const rows of streamRows(db, reports)) {
    yield* rows.map((row) => ({
      receipt: row.receipt,
      kind: row.subject_kind,
      id: row.subject_id,
      reason: row.reason,
      text: row.text,
      createdAt: toInstant(row.created_at_ms),
      decidedAt: toInstantOrNull(row.decided_at_ms),
    }));
  }
}

/** Invitations by the account, as long as they are kept. */
export async function* invitationRows(db: Database, id: string): AsyncGenerator<object> {
  const invitations = db.selectFrom('invitations').selectAll().where('account_id', '=', id);
  for await (const rows of streamRows(db, invitations)) {
    yield* rows.map((row) => ({
      uses: row.uses,
      used: row.used,
      createdAt: toInstant(row.created_at_ms),
      endsAt: toInstant(row.ends_at_ms),
      revokedAt: toInstantOrNull(row.revoked_at_ms),
    }));
  }
}

/** Held posts that are read at once. */
const heldPerRead = 20;

/** Comments and channels of the account that wait for a moderator, or were refused. */
export async function* heldRows(db: Database, id: string): AsyncGenerator<object> {
  // Not streamed: SQLite has one connection, and names are read in between.
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: HeldRow[] = await db
      .selectFrom('held')
      .selectAll()
      .where('account_id', '=', id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(heldPerRead)
      .execute();
    const texts = rows.map((row) => textOf(postOf(row)));
    const names = await findNames(db, texts);
    yield* rows.map((row, index) => ({
      kind: row.kind,
      channelId: row.channel_id,
      text: toPlainText(texts[index] ?? null, names),
      images: imagesOf(postOf(row)),
      createdAt: toInstant(row.created_at_ms),
      rejectedAt: toInstantOrNull(row.rejected_at_ms),
    }));
    after = rows.at(-1)?.id;
  }
}

/** Images of the account, with the names of their files in the archive. */
export async function* imageRows(db: Database, id: string): AsyncGenerator<object> {
  const images = db.selectFrom('images').selectAll().where('account_id', '=', id);
  for await (const rows of streamRows(db, images)) {
    yield* rows.map((row) => ({
      file: exportedImage(row).name,
      url: row.url,
      use: row.use,
      contentType: row.content_type,
      bytes: row.size_bytes,
      width: row.width,
      height: row.height,
      createdAt: toInstant(row.created_at_ms),
    }));
  }
}
