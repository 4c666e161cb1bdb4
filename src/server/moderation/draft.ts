import { limits } from '../../shared/limits.ts';
import type {
  Action,
  Arrivals,
  NewDecision as Body,
  Category,
  Subject,
} from '../../shared/moderation.ts';
import { ApiError } from '../http/api-error.ts';
import { FieldParser } from '../http/field-parser.ts';

/** A decision to make, whose fields were checked. */
export interface Draft {
  subject: Subject | Arrivals;
  action: Action;
  category: Category;
  reason: string;
  /** Length of a silence or a suspension; null without an end. */
  days: number | null;
  /** `<case>.<revision>` of the queue; undefined for a decision made elsewhere. */
  version: string | undefined;
}

const subjectActions = ['dismiss', 'silence', 'suspend', 'release', 'hideAll', 'approve', 'reject'];
const contentActions = ['hide', 'restore', ...subjectActions];

/** @throws ApiError `invalid_fields` */
export function parseDraft({ subject, version, action, category, days, reason = '' }: Body): Draft {
  const fields = new FieldParser();
  const needsReason = action !== 'dismiss' && action !== 'approve';
  const parsed = needsReason
    ? fields.text('reason', reason, limits.reasonChars)
    : fields.optionalText('reason', reason, limits.reasonChars);
  const isContent = subject.kind === 'comment' || subject.kind === 'channel';
  const fitting =
    subject.kind === 'arrivals' ? ['hideAll'] : isContent ? contentActions : subjectActions;
  if (!fitting.includes(action)) fields.reject('action', 'Eso no se puede decidir sobre esto.');
  if (action === 'silence' && days === undefined)
    fields.reject('days', 'Elige cuántos días, de 1 a 365.');
  if (version !== undefined && !/^[0-9a-f-]{36}\.\d{1,10}$/.test(version))
    fields.reject('version', 'No es una versión de la cola. Recarga la página.');
  fields.done();
  const lasts = action === 'silence' || action === 'suspend';
  return {
    ...{ subject, version, action, reason: parsed },
    category: category ?? 'other',
    days: lasts ? (days ?? null) : null,
  };
}

/** @throws ApiError `already_decided` when it is not what the moderator looked at */
export function requireUnchanged({ version }: Draft, revision: number): void {
  if (version === undefined || version.split('.')[1] === String(revision)) return;
  const detail = 'Cambió mientras lo mirabas. Míralo otra vez como está ahora.';
  throw new ApiError('already_decided', { detail });
}
