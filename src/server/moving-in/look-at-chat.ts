import type { MovingIn } from '../../shared/moving-in.ts';
import type { Database } from '../database/tables.ts';
import { communityZone } from '../site-settings/site-settings.ts';
import { OperatorError } from '../system/operator-error.ts';
import { openChat } from './parse-chat.ts';
import { draftPlan } from './plan.ts';
import { openExport } from './read-export.ts';
import { recallDecisions } from './recall-decisions.ts';
import { summarizeChat } from './summarize-chat.ts';

type Looked = Pick<NonNullable<MovingIn['upload']>, 'problem' | 'summary' | 'plan'>;

/** Reads an export and says what is in it, with what was decided about its people before, or why it cannot be read. Writes nothing. */
export async function lookAtChat(db: Database, file: string, nowMs: number): Promise<Looked> {
  try {
    using source = await openExport(file);
    const summary = await summarizeChat(await openChat(source, nowMs), source);
    const draft = draftPlan(summary, await communityZone(db));
    return { problem: null, summary, plan: await recallDecisions(db, draft) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { problem: error.message, summary: null, plan: null };
  }
}
