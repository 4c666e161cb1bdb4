import { limits } from '../../../shared/limits.ts';
import type { NewDecision as Body, Category, DecisionSubject } from '../../../shared/moderation.ts';
import { FieldParser } from '../../http/field-parser.ts';

/** A decision to make, whose fields were checked. */
export interface Draft<Subject extends DecisionSubject = DecisionSubject> {
  subject: Subject;
  action: Body['action'];
  category: Category;
  reason: string;
  /** Length of a silence or a suspension; null for one without an end. */
  days: number | null;
  /** Version shown in the queue; undefined for a decision made elsewhere. */
  version: string | undefined;
}

const userActions = ['dismiss', 'silence', 'suspend', 'hideAll', 'approve', 'reject'];
const contentActions = ['hide', ...userActions];
const fitting: Record<DecisionSubject['kind'], string[]> = {
  comment: contentActions,
  channel: contentActions,
  user: userActions,
  users: ['hideAll'],
  appeal: ['dismiss'],
};

/** @throws ApiError `invalid_fields` */
export function parseDraft({ subject, version, action, category, days, reason = '' }: Body): Draft {
  const fields = new FieldParser();
  if (!fitting[subject.kind].includes(action))
    fields.reject('action', 'Eso no se puede decidir sobre esto.');
  // A person who appeals is shown why the decision was upheld.
  const needsReason = subject.kind === 'appeal' || (action !== 'dismiss' && action !== 'approve');
  const parsed = needsReason
    ? fields.text('reason', reason, limits.reasonChars)
    : fields.optionalText('reason', reason, limits.reasonChars);
  if (action === 'silence' && days === undefined)
    fields.reject('days', `Elige cuántos días, de 1 a ${limits.restrictionDays}.`);
  fields.done();
  const lasts = action === 'silence' || action === 'suspend';
  return {
    subject,
    version,
    action,
    reason: parsed,
    category: category ?? 'other',
    days: lasts ? (days ?? null) : null,
  };
}
