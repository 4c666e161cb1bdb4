import type { News } from '../../shared/people.ts';
import type { Database } from '../database/tables.ts';

/**
 * Finds whether the account has pending posts, or decisions in force that hide a comment or channel of its own, for which
 * pages ask only if it has some; and whether its next post will be reviewed as the first.
 */
export async function findOwnNews(
  db: Database,
  accountId: string,
  { reviewsFirstPosts }: { reviewsFirstPosts: boolean },
): Promise<Pick<News, 'hasPending' | 'hasHidden' | 'reviewsNext'>> {
  const { approved_at_ms, pending, hidden } = await db
    .selectFrom('accounts')
    .select(['approved_at_ms'])
    .select(({ selectFrom, lit }) => [
      selectFrom('pending_posts')
        .select(lit(1).as('one'))
        .where('account_id', '=', accountId)
        .limit(1)
        .as('pending'),
      selectFrom('decision_accounts as about')
        .innerJoin('decisions', 'decisions.id', 'about.decision_id')
        .leftJoin('decisions as later', 'later.undoes', 'decisions.id')
        .select(lit(1).as('one'))
        .where('about.account_id', '=', accountId)
        .where('decisions.action', '=', 'hide')
        .where('later.id', 'is', null)
        .limit(1)
        .as('hidden'),
    ])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return {
    hasPending: pending !== null,
    hasHidden: hidden !== null,
    reviewsNext: reviewsFirstPosts && approved_at_ms === null,
  };
}
