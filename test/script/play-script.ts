import fc from 'fast-check';
import { type Engine, Forum, type Replace } from '../forum/forum.ts';
import { accountSteps } from './account-steps.ts';
import { Community } from './community.ts';
import { forumSteps } from './forum-steps.ts';
import { imageSteps } from './image-steps.ts';
import { searchSteps } from './search-steps.ts';
import { Transcript } from './transcript.ts';

const steps = [...accountSteps, ...forumSteps, ...imageSteps, ...searchSteps];
/** First steps, so that later steps find a member, a channel and an image. */
const prelude = ['sign up', 'sign in', 'create a channel', 'upload'];

/**
 * Runs the script of this seed against a new forum with a fake clock: every step as often as its
 * `times` says, in a random order.
 * @returns the forum, which the caller must stop, and the transcript of all calls and responses
 */
export async function playScript(engine: Engine, seed: number, replace: Replace = {}) {
  const clock = { nowMs: Date.UTC(2026, 0, 1) };
  const now = () => clock.nowMs;
  // Rate limits are on, because they also query the database. The script stays below them.
  const forum = await Forum.start(engine, { RATE_LIMITS: 'on' }, (config) => ({
    ...(typeof replace === 'function' ? replace(config) : replace),
    now,
    // The epoch is part of event ids, and random by default.
    epoch: '0123456789abcdef',
  }));
  const transcript = new Transcript(forum);
  try {
    const [generate] = fc.sample(fc.gen(), { seed, numRuns: 1 });
    if (!generate) throw new Error('fast-check generated nothing');
    const community = new Community(transcript, generate, clock);
    const byName = prelude.flatMap((name) => steps.filter((step) => step.name === name));
    const shuffled = community.shuffle(
      steps.flatMap((step) => Array.from({ length: step.times }, () => step)),
    );
    for (const [index, step] of [...byName, ...shuffled].entries()) {
      transcript.step = `step ${index + 1}, ${step.name}`;
      clock.nowMs += 1000;
      await step.take(community);
    }
  } catch (error) {
    await forum.stop();
    throw new Error(`${transcript.step} failed on ${engine}`, { cause: error });
  }
  return { forum, entries: transcript.entries };
}
