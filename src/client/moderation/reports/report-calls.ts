import { apiRoutes } from '../../../shared/api-routes.ts';
import type { NewReport, OwnReports, Receipt, ReportState } from '../../../shared/moderation.ts';
import { defineCall, defineUserCall } from '../../api/call.ts';

export const reportAsGuest = defineCall<NewReport, Receipt>('POST', apiRoutes.reports);
export const report = defineUserCall<NewReport, Receipt>('POST', apiRoutes.reports);

/** The outcome of a report, by its receipt. */
export const getReport = defineCall<string, ReportState>('GET', apiRoutes.report);

/** Reports by the account, newest first. */
export const listOwnReports = defineUserCall<void, OwnReports>('GET', apiRoutes.ownReports);
