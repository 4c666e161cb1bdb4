import { apiRoutes } from '../../../shared/api-routes.ts';
import type {
  Log,
  NewReport,
  OwnDecision,
  OwnDecisions,
  OwnReports,
  Receipt,
  ReportState,
} from '../../../shared/moderation.ts';
import { withQuery } from '../../../shared/routes.ts';
import { defineCall, defineUserCall } from '../../api/call.ts';

export const reportAsGuest = defineCall<NewReport, Receipt>('POST', apiRoutes.reports);
export const report = defineUserCall<NewReport, Receipt>('POST', apiRoutes.reports);

/** The outcome of a report, by its receipt. */
export const getReport = defineCall<string, ReportState>('GET', apiRoutes.report);

/** A page of the public log after a cursor; null for the first page. */
export const listLog = defineCall<string | null, Log>('GET', (after) =>
  withQuery(apiRoutes.log, { after }),
);

/** Reports by the account, newest first. */
export const listOwnReports = defineUserCall<void, OwnReports>('GET', apiRoutes.ownReports);

/** Moderators' decisions about the account, newest first. */
export const listOwnDecisions = defineUserCall<void, OwnDecisions>('GET', apiRoutes.ownDecisions);

export const appeal = defineUserCall<{ id: string; text: string }, OwnDecision>(
  'POST',
  ({ id }) => apiRoutes.appeal(id),
  { body: ({ text }) => ({ text }) },
);
