import type { MovingIn } from '../../shared/moving-in.ts';
import { OperatorError } from '../system/operator-error.ts';
import { openChat } from './parse-chat.ts';
import { draftPlan } from './plan.ts';
import { openExport } from './read-export.ts';
import { summarizeChat } from './summarize-chat.ts';

type Looked = Pick<NonNullable<MovingIn['upload']>, 'problem' | 'summary' | 'plan'>;

/** Reads an export and says what is in it, or why it cannot be read. Writes nothing. */
export async function lookAtChat(file: string, zone: string, nowMs: number): Promise<Looked> {
  try {
    using source = await openExport(file);
    const summary = await summarizeChat(await openChat(source, nowMs), source);
    return { problem: null, summary, plan: draftPlan(summary, zone) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { problem: error.message, summary: null, plan: null };
  }
}
