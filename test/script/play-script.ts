import { type Engine, Forum, type Replace } from '../forum/forum.ts';
import { accountSteps } from './account-steps.ts';
import { Community } from './community.ts';
import { forumSteps } from './forum-steps.ts';
import { imageSteps } from './image-steps.ts';
import { Transcript } from './transcript.ts';

const steps = [...accountSteps, ...forumSteps, ...imageSteps];
/** So that there is somebody and something to begin with. */
const prelude = ['sign up', 'sign in', 'create a channel', 'upload'];

/**
 * Plays the script of this seed on a new forum: every step as often as it says, in an order that
 * the seed decides, on a clock of its own.
 * @returns the forum, for the caller to stop, and all that it answered
 */
export async function playScript(engine: Engine, seed: string, replace: Replace = {}) {
  const clock = { nowMs: Date.UTC(2026, 0, 1) };
  const now = () => clock.nowMs;
  // Limits are on, because they ask the database too. The script stays below them.
  const forum = await Forum.start(engine, { RATE_LIMITS: 'on' }, (config) => ({
    ...(typeof replace === 'function' ? replace(config) : replace),
    now,
    // Random otherwise, and a part of event ids.
    generation: '0123456789abcdef',
  }));
  const transcript = new Transcript(forum);
  try {
    const community = new Community(transcript, seed, clock);
    const byName = prelude.flatMap((name) => steps.filter((step) => step.name === name));
    const shuffled = steps
      .flatMap((step) => Array.from({ length: step.times }, () => step))
      .map((step) => ({ step, place: community.random.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ step }) => step);
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
